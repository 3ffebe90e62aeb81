'use strict';

// Deployments in other languages write the protocol's names with underscores.

const OF_FUNCTIONS = ['args', 'response'];

/** Any answer in snake_case, but for what belongs to the author of a function. */
function toSnakeCase(value) {
	if (Array.isArray(value)) return value.map(toSnakeCase);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inside]) => [
			name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
			OF_FUNCTIONS.includes(name) ? inside : toSnakeCase(inside),
		]),
	);
}

const spelled = ({ spelling }, answer) => (spelling === 'snake' ? toSnakeCase(answer) : answer);

module.exports = { spelled, toSnakeCase };
