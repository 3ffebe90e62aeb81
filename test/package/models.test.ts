import * as families from '../../nodes/shared/family/families';
import { toPlainName } from '../../nodes/shared/family/names';
import * as rows from '../../nodes/shared/family/row';
import { versionOf } from '../../nodes/shared/family/versions';
import { lostPaths, TEXT_ARRIVALS } from '../../sandbox/arrivals';
import { toTables, withModels } from '../../sandbox/writeModels';
import { read } from './support/files';

// The page of models is held against the tables of the families, and against what was recorded.

const page = read('docs/models.md');
const rules = { ...families, ...rows, toPlainName };
const ALL = families.FAMILIES.flatMap((label) =>
	families
		.familyNamed(label)!
		.versions!.map((version) => ({ label, version, model: version.model })),
);

it('has the tables of the code: `npm run write` writes them', () => {
	expect(page).toBe(withModels(page, rules));
});

it.each(ALL)(
	'the version of $model matches it alone, and says what it was checked against',
	(one) => {
		const { label, version, model } = one;
		const row = families.findRow(model)!;
		expect(row.label).toBe(label);
		expect(versionOf(row, toPlainName(model))).toBe(version);
		expect(version.checked).toMatch(/^(before )?20\d\d-\d\d, \S/);
	},
);

it('says what each family is good for', () => {
	expect(toTables(rules).families.filter((row: string[]) => !row[1])).toEqual([]);
});

it('the changelog names each family', () => {
	const text = read('CHANGELOG.md').replace(/\s+/g, ' ');
	expect(families.FAMILIES.filter((label) => !text.includes(label))).toEqual([]);
});

it('the page names what the service was seen to drop of a text request', () => {
	const dropped = TEXT_ARRIVALS.flatMap(({ sent, received }) =>
		sent && received ? lostPaths(sent, received) : [],
	);
	const names = dropped.map((path) => path.split('.').at(-1)!);
	expect(names.length).toBeGreaterThan(0);
	expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
