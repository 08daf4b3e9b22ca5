/**
 * Who is to own each slot: the members share them evenly, and as few as possible change hands. All members that see the same come to the same plan.
 * Owners and members are terms; without members, the owner of each slot is `''`.
 */
export function shardPlan(owners: readonly string[], members: readonly string[]): readonly string[] {
  const counts = new Map(members.map((member) => [member, 0]));
  for (const owner of owners) if (counts.has(owner)) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  // Who has the most keeps the odd ones.
  const ranked = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const share = Math.floor(owners.length / Math.max(members.length, 1));
  const odd = owners.length - share * members.length;
  const wanted = new Map(ranked.map(([member], rank) => [member, rank < odd ? share + 1 : share]));

  const plan = owners.map((owner) => {
    const left = wanted.get(owner) ?? 0;
    if (left === 0) return '';
    wanted.set(owner, left - 1);
    return owner;
  });
  const takers = ranked.flatMap(([member]) => Array.from({ length: wanted.get(member) ?? 0 }, () => member));
  let next = 0;
  return plan.map((owner) => (owner === '' ? (takers[next++] ?? '') : owner));
}
