import type { Setting } from '../../nodes/shared/family/family';
import { FAMILIES, findFamily } from '../../nodes/shared/family/families';
import { COLUMNS, lostPaths, TEXT_ARRIVALS } from '../../sandbox/arrivals';
import { read } from './support/files';

// The page of models is held against the code of the families, and against what was recorded.

const page = read('docs/models.md');
const rows = page
	.split('\n')
	.filter((line) => line.startsWith('| '))
	.map((line) => line.split('|').map((cell) => cell.trim()));
const [headings] = rows;

/** Which models a word before a colon in the table is about. */
const VERSIONS: Record<string, RegExp> = {
	'01': /2V-01/,
	'v1 and v2': /kling-v[12]/,
	'1.x': /seedance-1/,
	Pro: /-pro$/,
	'2': /veo-2/,
	'1.5 and 2.0': /vidu(1\.5|2\.0)/,
	Q1: /viduq1/,
	Q2: /viduq2/,
	'2.1': /wanx2\.1/,
	'2.2': /wan2\.2/,
	'2.5': /wan2\.5/,
	'i2v and kf2v': /i2v|kf2v/,
};
const NAMES = [
	...COLUMNS.map(({ model }) => model),
	...['T2V-01', 'kling-v3', 'doubao-seedance-2-0-260128', 'veo-2.0-generate-001'],
	...['vidu2.0', 'vidu1.5', 'viduq1', 'viduq3', 'wanx2.1-t2v-turbo', 'wan2.6-i2v', 'wan2.6-t2v'],
];

/** What the table says of a model: the part of the cell for its version, else the first one. */
function told(model: string, heading: string): string {
	const row = rows.find(([, family]) => family === findFamily(model)?.label) ?? [];
	const [first, ...others] =
		row[headings.findIndex((name) => name.startsWith(heading))].split('; ');
	const parts = others.map((part) => part.split(': '));
	return parts.find(([version]) => VERSIONS[version].test(model))?.[1] ?? first;
}

function inWords(setting: Setting | undefined, lacking: string): string {
	if (!setting || !('at' in setting)) return lacking;
	const { values, min, max } = setting;
	if (values) return values.join(', ').toLowerCase();
	return max === undefined ? `${min} or more` : `${min} to ${max}`;
}

const ALSO = {
	negativePrompt: 'Negative Prompt',
	returnLastFrame: 'Return Last Frame',
	seed: 'Seed',
};

it('the table has a row for each family', () => {
	const families = rows.slice(2, 2 + FAMILIES.length).map(([, family]) => family);
	expect(families).toEqual(FAMILIES.map(({ label }) => label));
});

it('a model of each family is compared with its row', () => {
	const compared = new Set(NAMES.map((model) => findFamily(model)));
	expect(FAMILIES.filter((family) => !compared.has(family)).map(({ label }) => label)).toEqual([]);
});

it.each(NAMES)('the table says what the code takes for %s', (model) => {
	const { settings, pictures } = findFamily(model)!;
	const { aspectRatio, duration, generateAudio, resolution, ...more } = settings(model);
	const { lastFrame, references: n } = pictures;
	const kinds = ['first', lastFrame && 'last', n && `${n} reference${n > 1 ? 's' : ''}`];
	const also = Object.entries(ALSO).filter(([name]) => name in more);
	const instead = aspectRatio?.instead ? 'as the picture' : 'no';
	const wanted = {
		Duration: inWords(duration, 'no'),
		'Aspect Ratio': inWords(aspectRatio, instead),
		Resolution: inWords(resolution, 'no'),
		sound: generateAudio ? 'yes' : expect.stringMatching(/^(no|always)$/),
		pictures: kinds.filter(Boolean).join(', '),
		also: also.map(([, label]) => label).join(', '),
	};
	const names = Object.keys(wanted);
	expect(Object.fromEntries(names.map((name) => [name, told(model, name)]))).toEqual(wanted);
});

it('the page names what the service was seen to drop of a text request', () => {
	const dropped = TEXT_ARRIVALS.flatMap(({ sent, received }) =>
		sent && received ? lostPaths(sent, received) : [],
	);
	const names = dropped.map((path) => path.split('.').at(-1)!);
	expect(names.length).toBeGreaterThan(0);
	expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
