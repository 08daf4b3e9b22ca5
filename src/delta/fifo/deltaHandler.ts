/**
 * Functions to call when the store has changed. All of them are optional; what they return is not waited for.
 *
 * @see client-go: `ResourceEventHandlerDetailedFuncs`
 */
export interface DeltaHandler<T> {
  /** An object came into the store. `isInInitialList`: while the first list was being processed. */
  onAdd?(object: T, isInInitialList: boolean): void;
  /** An object was replaced by a newer version. In a resync both are the same object. */
  onUpdate?(oldObject: T, object: T): void;
  /** An object left the store. `finalStateUnknown`: its deletion was missed, and `object` is its last known state. */
  onDelete?(object: T, finalStateUnknown: boolean): void;
}
