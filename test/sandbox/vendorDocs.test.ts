import {
	changeDeployment,
	DEFAULTS,
	FAULTS,
	PLAN_CHECKS,
	REFUSALS,
} from '../../sandbox/vendors/plan';
import { channelsAt } from '../../sandbox/vendors';
import { WIRE_FAULTS } from '../../sandbox/service/faults';
import { readPage } from './support/files';

// The page tells of everything that the vendors can do.

const page = readPage('vendors');
const rows = page
	.split('\n')
	.filter((line) => line.startsWith('|'))
	.map((line) => line.slice(1, -1).split('|'))
	.map((cells) => cells.map((cell) => cell.trim()));

const CHANNELS = channelsAt('http://127.0.0.1:4020');

it.each(CHANNELS)('tells how to enter $label', ({ type, base_url, label }) => {
	const row = rows.find(([, number]) => number === String(type));
	expect(row?.[2]).toBe(`\`${base_url}\``);
	expect(row?.[0]).toContain(label.replace(/ \(.*/, ''));
});

it.each(Object.entries(REFUSALS))('tells what %s means', (name, { about, status }) => {
	expect(rows).toContainEqual([`\`${name}\``, String(status), about]);
});

it('names every other fault, or where it is described', () => {
	const others = Object.keys(FAULTS).filter(
		(name) => !Object.hasOwn(REFUSALS, name) && !Object.hasOwn(WIRE_FAULTS, name),
	);
	expect(others.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('names every plan key, and every setting that can be changed', () => {
	const settings = Object.keys(DEFAULTS).filter((name) => name !== 'outage');
	const named = (name: string) => page.includes(`\`${name}\``);
	expect([...Object.keys(PLAN_CHECKS), ...settings].filter((name) => !named(name))).toEqual([]);
	expect(() => changeDeployment(DEFAULTS, { outage: 'html502' })).toThrow('no setting');
});
