import type { IBinaryData } from 'n8n-workflow';

import { type Linking, readLinkHours, toFilmWords, toLinkFields } from '../../../../nodes/shared/download/link';
import { linkField } from '../../../../nodes/shared/fields/common';
import { createReader } from '../../../../nodes/shared/item/reader';
import { makeRun } from '../../../support/makeRun';

const STORED = { id: 'filesystem-v2:a/b', fileName: 'task_1.mp4' } as IBinaryData;
const clock = { now: () => Date.parse('2026-11-21T00:22:40Z') };
const signsFor = (base: string): Linking => ({
	sign: ({ id }, expiresIn) => `${base}/rest/binary-data/signed?token=${id}.${expiresIn}`,
});
const link = (linking: Linking | undefined, hours: number | undefined = 24, binary = STORED) =>
	toLinkFields(binary, hours, { linking, clock });

it('is n8n’s signed address, with its end, and in Markdown', () => {
	const url = 'https://n8n.example.com/rest/binary-data/signed?token=filesystem-v2:a/b.86400s';
	expect(link(signsFor('https://n8n.example.com'))).toEqual({
		link: url,
		link_expires_at: '2026-11-22T00:22:40.000Z',
		message: `[task_1.mp4](${url}) (a download, until 2026-11-22 00:22 UTC).`,
	});
});

it.each([
	[0.5, '1800s', '2026-11-21T00:52:40.000Z'],
	[0.0001, '1s', '2026-11-21T00:22:41.000Z'],
	[8760, '31536000s', '2027-11-21T00:22:40.000Z'],
])('ends after %d hours', (hours, expiresIn, end) => {
	const fields = link(signsFor('https://n8n.example.com'), hours);
	expect(fields.link).toMatch(new RegExp(`\\.${expiresIn}$`));
	expect(fields.link_expires_at).toBe(end);
});

const LOCAL = 'http://localhost:5678';
const PATH = '/rest/binary-data/signed?token=filesystem-v2:a/b.86400s';

it.each([
	['for itself', LOCAL, undefined, `${LOCAL}${PATH}`],
	['for itself, like the editor', LOCAL, `${LOCAL}/`, `${LOCAL}${PATH}`],
	['for the editor', LOCAL, 'https://n8n.example.com/', `https://n8n.example.com${PATH}`],
	['for an editor with a path', LOCAL, 'https://a.example/n8n', `https://a.example/n8n${PATH}`],
	[
		'for one path of both',
		`${LOCAL}/n8n`,
		'https://a.example/n8n/',
		`https://a.example/n8n${PATH}`,
	],
	['for an editor with a search', LOCAL, 'https://a.example/?a=1#b', `https://a.example${PATH}`],
	['for an editor with a password', LOCAL, 'https://u:p@a.example/', `https://a.example${PATH}`],
	['for webhooks', 'https://hooks.example', 'https://a.example/', `https://hooks.example${PATH}`],
])('where n8n signs %s', (_what, base, editorUrl, expected) => {
	const fields = link({ ...signsFor(base), editorUrl });
	expect(fields.link).toBe(expected);
	const isLocal = expected.startsWith(LOCAL);
	expect(
		/only on n8n's own machine \(http:\/\/localhost:5678\).* set WEBHOOK_URL/.test(
			String(fields.message),
		),
	).toBe(isLocal);
});

const throwing = (thrown: unknown): Linking => ({
	sign: () => {
		throw thrown;
	},
});
const throws = (message: string) => throwing(new Error(message));

it.each([
	['in memory', throws('never asked'), { ...STORED, id: undefined }, /n8n keeps files in memory/],
	['in a version without', undefined, STORED, /this version of n8n cannot make one/],
	['in an old version', {}, STORED, /this version of n8n cannot make one/],
	['where n8n refuses', throws('No secret'), STORED, /no link to it: no secret\./],
	['in words that are no link', throws('No [x](y)'), STORED, /no link to it: no \\\[x\\\]\(y\)\./],
	['where it throws a text', throwing('No way'), STORED, /no link to it: no way\./],
	['where it throws nothing', throwing(undefined), STORED, /no link to it: undefined\./],
	['where n8n gives none', { sign: () => '' }, STORED, /n8n gave no web address/],
])('says why there is none %s, and never throws', (_where, linking, binary, why) => {
	const fields = link(linking, 24, binary as IBinaryData);
	expect(Object.keys(fields)).toEqual(['message']);
	expect(fields.message).toMatch(why);
});

it.each([0, undefined])('is not there where nobody wants one: %j', (hours) => {
	expect(toLinkFields(STORED, hours, { linking: throws('asked'), clock })).toEqual({});
});

it.each<[string, number | undefined, string | undefined, RegExp]>([
	['the link of the item', 1, '[a](https://b.example)', /^\[a\]\(https:\/\/b\.example\)$/],
	['one of its own', undefined, undefined, /^\[task_1\.mp4\].*until 2026-11-22 00:22 UTC/],
	['none where nobody wants one', 0, undefined, /^The file is stored with this n8n execution\.$/],
])('a chat is told %s', (_what, hours, message, expected) => {
	const linking = signsFor('https://n8n.example.com');
	expect(toFilmWords({ binary: STORED, message }, hours, { linking, clock })).toMatch(expected);
});

it.each([
	[{}, false, undefined],
	[{}, true, 24],
	[{ link: 0 }, true, 0],
	[{ link: '2' }, false, 2],
])('the option %j for an agent (%s) is %j hours', (options, forAgent, hours) => {
	const field = {
		...{ displayName: 'Options', name: 'options', type: 'collection' as const, default: {} },
		options: [linkField],
	};
	const run = makeRun({ fields: [field], parameters: [{ options }] });
	expect(readLinkHours(createReader(run, 0).options, forAgent)).toBe(hours);
});
