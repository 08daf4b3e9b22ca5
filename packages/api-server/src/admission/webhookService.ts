/** The service of a webhook. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}
