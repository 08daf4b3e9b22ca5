/** One validation error; its message begins with the type of the error. */
export interface FieldError {
  readonly reason:
    | 'FieldValueTooMany'
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueNotSupported'
    | 'FieldValueForbidden'
    | 'FieldValueDuplicate'
    | 'FieldValueNotFound'
    | 'FieldValueTooLong'
    | 'FieldValueTypeInvalid'
    | 'InternalError';
  readonly field: string;
  readonly message: string;
}

export function required(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: detail === '' ? 'Required value' : `Required value: ${detail}` };
}

/** `shown` is the invalid value as Go prints it: strings quoted, numbers plain. */
export function invalidValue(field: string, shown: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${shown}: ${detail}` };
}

export function duplicate(field: string, shown: string): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${shown}` };
}

export function forbiddenField(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: `Forbidden: ${detail}` };
}

export function notSupported(field: string, shown: string, supported: readonly string[]): FieldError {
  const list = supported.map((value) => `"${value}"`).join(', ');
  return { reason: 'FieldValueNotSupported', field, message: `Unsupported value: ${shown}: supported values: ${list}` };
}
