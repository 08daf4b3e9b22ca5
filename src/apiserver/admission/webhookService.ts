/** A service that a webhook runs behind. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}
