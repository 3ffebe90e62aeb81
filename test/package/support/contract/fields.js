'use strict';

/** Every field of the items that a node gives, by path: its type, and whether it is always there. */
function readFields({ properties = {}, required = [] }, before = '') {
	return Object.entries(properties).reduce((found, [name, schema]) => {
		const path = before + name;
		const always = required.includes(name) || undefined;
		found[path] = { type: schema.type, values: schema.enum, always };
		return Object.assign(found, readFields(schema, `${path}.`));
	}, {});
}

module.exports = { readFields };
