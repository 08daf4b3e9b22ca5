/** How a manager has ended. */
export interface ManagerResult {
  /** What failed; undefined after a clean stop. */
  readonly error: Error | undefined;
}
