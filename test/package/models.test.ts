import { type Family, type Setting, type Value } from '../../nodes/shared/family/family';
import { FAMILIES, findFamily } from '../../nodes/shared/family/families';
import { referencesOf, settingsOf, versionOf } from '../../nodes/shared/family/versions';
import { COLUMNS, lostPaths, TEXT_ARRIVALS } from '../../sandbox/arrivals';
import { read } from './support/files';

// The page of models is held against the code of the families, and against what was recorded.

const page = read('docs/models.md');
const [familyLines, versionLines] = page
	.split('<!-- prettier-ignore -->\n')
	.slice(1)
	.map((text) => text.split('\n\n')[0].split('\n').slice(2));
const families = familyLines.map((line) => line.split('|').map((cell) => cell.trim()));

/** A model of each row of the tables. */
const MODELS = [
	...['grok-imagine-video-1.5', 'grok-imagine-video'],
	...['MiniMax-Hailuo-2.3', 'MiniMax-Hailuo-02', 'S2V-01'],
	...['jimeng_v30', 'jimeng_vgfm_t2v_l20'],
	...['kling-3.0-turbo', 'kling-3.0', 'kling-v1-6'],
	'MiniMax-H3',
	...['doubao-seedance-2-5-260628', 'doubao-seedance-2-0-fast-260128'],
	...['doubao-seedance-2-0-260128', 'doubao-seedance-1-5-pro-251215'],
	...['veo-3.1-generate-001', 'veo-3.0-generate-001', 'veo-2.0-generate-001'],
	...['viduq3-pro', 'viduq3-turbo', 'viduq3', 'viduq2', 'viduq1', 'vidu2.0', 'vidu1.5'],
	...['wan3.0-video', 'wan2.6-t2v', 'wan2.5-t2v-preview', 'wan2.2-t2v-plus', 'wan2.2-i2v-flash'],
	...['wanx2.1-i2v-turbo', 'wanx2.1-t2v-turbo', 'wanx2.1-t2v-plus'],
];

const toWord = (value: Value) => String(value).toLowerCase();

function toCell(setting: Setting | undefined, model: string): string {
	const isFromPicture = /Wan|Hailuo|Vidu/.test(setting?.instead ?? '');
	if (!setting?.at) return isFromPicture ? 'as the picture' : 'no';
	const { values, min, max, notKnown } = setting;
	if (notKnown) throw new Error(`${model} has no list`);
	return values ? values.map(toWord).join(', ') : `${min} to ${max}`;
}

const labelOf = (family: Family, model: string) =>
	`${family.label} ${versionOf(family, model)?.label}`.trim();

it('the table of versions is what the code takes: copy these lines', () => {
	const wanted = MODELS.map((model) => {
		const family = findFamily(model)!;
		const { duration, aspectRatio, resolution } = settingsOf(family, model);
		const cells = [duration, aspectRatio, resolution].map((one) => toCell(one, model));
		return `| ${[labelOf(family, model), ...cells].join(' | ')} |`;
	});
	expect(versionLines).toEqual(wanted);
});

it('each version has its row', () => {
	const all = FAMILIES.flatMap((family) =>
		family.versions.map(({ label }) => `${family.label} ${label}`.trim()),
	);
	expect(MODELS.map((model) => labelOf(findFamily(model)!, model))).toEqual(all);
});

const ALSO = {
	negativePrompt: 'Negative Prompt',
	returnLastFrame: 'Return Last Frame',
	seed: 'Seed',
} as const;

it('the table of families has a row for each', () => {
	const labels = families.map(([, family]) => family);
	expect(labels).toEqual(FAMILIES.map(({ label }) => label));
});

/** What the table says of pictures: the part of the cell for the version, else the first one. */
function toldOfPictures(cell: string, label: string | undefined): string {
	const [first, ...others] = cell.split('; ');
	return others.find((part) => part.startsWith(`${label}: `))?.split(': ')[1] ?? first;
}

it.each([...MODELS, ...COLUMNS.map(({ model }) => model)])(
	'the table of families says what the code takes for %s',
	(model) => {
		const family = findFamily(model)!;
		const settings = settingsOf(family, model);
		const n = referencesOf(family, model);
		const { lastFrame } = family.pictures;
		const kinds = ['first', lastFrame && 'last', n && `${n} reference${n > 1 ? 's' : ''}`];
		const [, , , sound, pictures, also] = families.find(([, label]) => label === family.label)!;
		const more = (Object.keys(ALSO) as Array<keyof typeof ALSO>).filter((one) => settings[one]?.at);
		expect({
			sound,
			pictures: toldOfPictures(pictures, versionOf(family, model)?.label),
			also,
		}).toEqual({
			sound: settings.generateAudio?.at ? 'yes' : 'no',
			pictures: kinds.filter(Boolean).join(', '),
			also: more.map((one) => ALSO[one]).join(', '),
		});
	},
);

it('the page names what the service was seen to drop of a text request', () => {
	const dropped = TEXT_ARRIVALS.flatMap(({ sent, received }) =>
		sent && received ? lostPaths(sent, received) : [],
	);
	const names = dropped.map((path) => path.split('.').at(-1)!);
	expect(names.length).toBeGreaterThan(0);
	expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
