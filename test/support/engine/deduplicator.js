'use strict';

/**
 * As DeduplicationHelper of packages/cli, in its mode `entries`: it reads the row of a node and then
 * inserts or rewrites it, while others do the same. The database refuses a second insert.
 */
function makeDeduplicator() {
	const rows = new Map();
	const later = () => new Promise((resolve) => setImmediate(resolve));
	const toKey = ({ node, workflow }) => `${workflow.id} ${node.id}`;
	return {
		async checkProcessedAndRecord(items, _scope, context) {
			const key = toKey(context);
			const row = rows.get(key);
			await later();
			if (row === undefined && rows.has(key)) {
				throw new Error('duplicate key value violates unique constraint');
			}
			const isNew = (item) => !row?.includes(item);
			const result = { new: items.filter(isNew), processed: items.filter((item) => !isNew(item)) };
			// An update changes nothing if the row is gone.
			if (row === undefined || rows.has(key)) rows.set(key, [...(row ?? []), ...result.new]);
			return result;
		},
		async clearAllProcessedItems(_scope, context) {
			const key = toKey(context);
			await later();
			rows.delete(key);
		},
	};
}

module.exports = { makeDeduplicator };
