'use strict';

const { FAULTS } = require('./service/faults');
const { KEYS } = require('./service/keys');
const { SETTINGS } = require('./service/deployment');
const { PLAN_KEYS } = require('./service/plan');

// What `npm run sandbox -- --help` lists, from what the stand-in can do.

const NAME_WIDTH = 22;

/** Returns a title, and a line for each row of a table. */
const toList = (title, table, toWords) => {
	const lines = Object.entries(table).map(
		([name, row]) => `  ${name.padEnd(NAME_WIDTH)} ${toWords(row)}`,
	);
	return ['', title, ...lines, ''].join('\n');
};

const toPlanWords = ([about, schema]) => `${about} (${schema.description})`;
const toFaultWords = ({ about, change }) =>
	change.accept ? 'as the name says, but the task is created and billed' : about;
const toSettingWords = ([about, , byDefault]) =>
	typeof byDefault === 'object' ? about : `${about} (default ${byDefault})`;

const toHelp = () =>
	[
		toList('Keys of a plan', PLAN_KEYS, toPlanWords),
		toList('Faults', FAULTS, toFaultWords),
		toList('API keys', KEYS, ([about]) => about),
		toList('Settings of the deployment', SETTINGS, toSettingWords),
	].join('');

module.exports = { toHelp };
