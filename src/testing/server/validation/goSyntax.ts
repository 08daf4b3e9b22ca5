import { asJsonObject, asString, isJsonArray, type Json } from '../json.js';

function quoted(value: Json | undefined): string {
  return JSON.stringify(asString(value));
}

/** A map of texts as Go prints it, in which messages show labels. */
export function goMap(value: Json | undefined): string {
  const entries = Object.entries(asJsonObject(value)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return 'map[string]string(nil)';
  return `map[string]string{${entries.map(([name, text]) => `${JSON.stringify(name)}:${quoted(text)}`).join(', ')}}`;
}

function goTexts(value: Json | undefined): string {
  return isJsonArray(value) ? `[]string{${value.map(quoted).join(', ')}}` : '[]string(nil)';
}

/** A label selector as Go prints it. */
export function goLabelSelector(value: Json | undefined): string {
  const { matchLabels, matchExpressions } = asJsonObject(value);
  const expressions = isJsonArray(matchExpressions) ? matchExpressions.map(asJsonObject) : [];
  const shown = expressions.map(
    ({ key, operator, values }) =>
      `v1.LabelSelectorRequirement{Key:${quoted(key)}, Operator:${quoted(operator)}, Values:${goTexts(values)}}`,
  );
  const list = shown.length === 0 ? '(nil)' : `{${shown.join(', ')}}`;
  return `v1.LabelSelector{MatchLabels:${goMap(matchLabels)}, MatchExpressions:[]v1.LabelSelectorRequirement${list}}`;
}
