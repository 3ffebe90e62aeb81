'use strict';

const { isDeepStrictEqual } = require('node:util');

const text = (value) => JSON.stringify(value) ?? 'none';
const lost = (before = [], now = []) => before.filter((value) => !now.includes(value));

/** A rule that is new, or that allows less than it did. */
const isStricter = (before, now, includes) =>
	Object.entries(now).some(([name, values]) => {
		if (!before[name]) return true;
		if (isDeepStrictEqual(before[name], values)) return false;
		return !includes(values, before[name]);
	});

const holdsAll = (values, wanted) => wanted.every((value) => values.includes(value));

/** Whether a field may be hidden now where it was shown: n8n does not use what is hidden. */
const isHiddenMore = (before, now) =>
	isStricter(before.show ?? {}, now.show ?? {}, holdsAll) ||
	isStricter(before.hide ?? {}, now.hide ?? {}, (values, wanted) => holdsAll(wanted, values));

function formChanges(before, now) {
	const same = ['type', 'default', 'multiple'].filter(
		(key) => !isDeepStrictEqual(before[key], now[key]),
	);
	return [
		...same.map((key) => `${key} was ${text(before[key])}, is ${text(now[key])}`),
		...lost(before.options, now.options).map((value) => `option ${text(value)} is gone`),
		...lost(before.modes, now.modes).map((value) => `mode ${text(value)} is gone`),
		...(now.required && !before.required ? ['it is required now'] : []),
		...(isHiddenMore(before, now)
			? [`it may be hidden where it was shown: ${text({ show: now.show, hide: now.hide })}`]
			: []),
	];
}

/** A field that people must fill in before what they have saved runs again. */
const isDemanded = ({ required, default: value, show }) => required && value === '' && !show;

function parameterChanges(before, now) {
	const changed = Object.entries(before).flatMap(([path, forms]) => {
		if (!now[path]) return [`"${path}" is gone`];
		return forms.flatMap((form) => {
			const byForm = now[path].map((other) => formChanges(form, other));
			const [fewest] = byForm.sort((a, b) => a.length - b.length);
			return fewest.map((change) => `"${path}": ${change}`);
		});
	});
	const added = Object.keys(now).filter((path) => !before[path] && now[path].some(isDemanded));
	return [...changed, ...added.map((path) => `"${path}" is new and has to be filled in`)];
}

function credentialChanges(before, now) {
	const gone = lost(Object.keys(before), Object.keys(now));
	const demanded = Object.keys(now).filter((name) => now[name].required && !before[name]?.required);
	return [
		...gone.map((name) => `credential ${name} is gone`),
		...demanded.map((name) => `credential ${name} is required now`),
	];
}

/** Workflows are saved with numbers of inputs and outputs: new ones may only come behind. */
function connectionChanges(before, now) {
	return before.flatMap((released, i) =>
		['inputs', 'outputs']
			.filter(
				(ends) => !isDeepStrictEqual(released[ends], now[i][ends].slice(0, released[ends].length)),
			)
			.map((ends) => {
				const [was, is] = [released, now[i]].map((one) => text(one[ends]));
				return `${ends} with ${text(released.with)} were ${was}, are ${is}`;
			}),
	);
}

/** Expressions read these; a further value of a field is no change of it. */
const fieldChanges = (before, now) =>
	Object.entries(before).flatMap(([path, { type, values, always }]) => {
		const field = now[path];
		if (!field) return [`field "${path}" of its items is gone`];
		const changes = [
			...(isDeepStrictEqual(type, field.type)
				? []
				: [`type was ${text(type)}, is ${text(field.type)}`]),
			...lost(values, field.values).map((value) => `value ${text(value)} is gone`),
			...(always && !field.always ? ['it may be missing now'] : []),
		];
		return changes.map((change) => `field "${path}" of its items: ${change}`);
	});

const nodeChanges = (before, now) => [
	...(before.usableAsTool && !now.usableAsTool ? ['it is no tool any more'] : []),
	...credentialChanges(before.credentials, now.credentials),
	...connectionChanges(before.connections, now.connections),
	...parameterChanges(before.parameters, now.parameters),
	...fieldChanges(before.fields, now.fields),
];

const changesOfAll = (before, now, changesOf) =>
	Object.entries(before).flatMap(([name, released]) => {
		const changes = now[name] ? changesOf(released, now[name]) : ['it is gone'];
		return changes.map((change) => `${name}: ${change}`);
	});

/** What of a released contract is not as it was; one sentence each. Additions are no changes. */
const changesSince = (released, current) => [
	...changesOfAll(released.nodes, current.nodes, nodeChanges),
	...changesOfAll(released.credentials, current.credentials, parameterChanges),
];

module.exports = { changesSince };
