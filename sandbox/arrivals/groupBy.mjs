/** What `Map.groupBy` of newer Node.js does. */
export function groupBy(list, keyOf) {
	const groups = new Map();
	for (const one of list) {
		const key = keyOf(one);
		groups.set(key, [...(groups.get(key) ?? []), one]);
	}
	return groups;
}
