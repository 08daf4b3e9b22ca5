/** One condition of a field selector. */
export interface FieldRequirement {
  /** The path of the field, for example `metadata.name`. */
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Escapes a value for use in a field selector. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, (character) => `\\${character}`);
}

function unescape(text: string, selector: string): string {
  return text.replace(/\\(.?)/g, (_, character: string) => {
    if (!['\\', ',', '='].includes(character)) {
      throw new TypeError(
        `Unable to parse the field selector ${JSON.stringify(selector)}: expected \\, = or a comma after a backslash, got '${character}'`,
      );
    }
    return character;
  });
}

function requirementOf(part: string, selector: string): FieldRequirement {
  const [, field = '', operator, value = ''] = /^((?:[^\\=!]|\\.|!(?!=))+)(!=|==|=)((?:[^\\=]|\\(?:.|$))*)$/s.exec(part) ?? [];
  if (operator === undefined) {
    throw new TypeError(
      `Unable to parse the field selector ${JSON.stringify(selector)}: can't understand '${part}', expected field=value or field!=value`,
    );
  }
  return { field, operator: operator === '!=' ? '!=' : '=', value: unescape(value, selector) };
}

/**
 * Parses a field selector: `metadata.name=web,status.phase!=Running`, where a backslash escapes a comma, an equals sign or itself.
 *
 * @throws TypeError that names the selector and the part that cannot be understood.
 */
export function parseFieldSelector(selector: string): readonly FieldRequirement[] {
  return (selector.match(/(?:[^\\,]|\\(?:.|$))+/gs) ?? []).map((part) => requirementOf(part, selector));
}
