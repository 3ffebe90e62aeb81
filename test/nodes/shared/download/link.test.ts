import type { IBinaryData } from 'n8n-workflow';

import { toFileWords, toLinkFields } from '../../../../nodes/shared/download/link';
import { makeRun } from '../../../support/makeRun';

const STORED = { id: 'filesystem-v2:a/b', fileName: 'task_1.mp4' } as IBinaryData;
const LOCAL = 'http://localhost:5678';
const N8N = 'https://n8n.example.com';

/** An n8n that signs links for an address, or says why not. */
function makeN8n(sign: (binary: IBinaryData, expiresIn: string) => string, editorUrl = LOCAL) {
	const helpers = { createBinarySignedUrl: sign };
	const run = makeRun({ more: { helpers, getInstanceBaseUrl: () => editorUrl } });
	run.clock.now = () => Date.parse('2026-11-21T00:22:40Z');
	return run;
}
const signsFor = (base: string) => (binary: IBinaryData, expiresIn: string) =>
	`${base}/rest/binary-data/signed?token=${binary.id}.${expiresIn}`;

it('ends after so many hours', () => {
	const fields = toLinkFields([STORED], 0.5, makeN8n(signsFor(N8N)));
	expect(fields.link).toMatch(/\.1800s$/);
	expect(fields.link_expires_at).toBe('2026-11-21T00:52:40.000Z');
});

const PATH = '/rest/binary-data/signed?token=filesystem-v2:a/b.86400s';

it.each([
	['for itself', LOCAL, LOCAL, LOCAL],
	['for the editor', LOCAL, `${N8N}/`, N8N],
	['for one path of both', `${LOCAL}/n8n`, `${N8N}/n8n/`, `${N8N}/n8n`],
	['for an editor with a password', LOCAL, 'https://u:p@a.example/', 'https://a.example'],
	['for webhooks', 'https://hooks.example', N8N, 'https://hooks.example'],
])('where n8n signs %s', (_what, base, editorUrl, expected) => {
	const fields = toLinkFields([STORED], 24, makeN8n(signsFor(base), editorUrl));
	expect(fields.link).toBe(expected + PATH);
	const warns = /only on n8n's own machine \(http:\/\/localhost:5678\).* set WEBHOOK_URL/;
	expect(warns.test(String(fields.message))).toBe(expected === LOCAL);
});

const refuses = () => {
	throw new Error('No [x](y)');
};

it.each([
	['in memory', refuses, { ...STORED, id: undefined }, /n8n keeps files in memory/],
	['where n8n refuses', refuses, STORED, /to it: no \\\[x\\\]\(y\)\./],
])('says why there is none %s, and never throws', (_where, sign, binary, why) => {
	const fields = toLinkFields([binary as IBinaryData], 24, makeN8n(sign));
	expect(Object.keys(fields)).toEqual(['message']);
	expect(fields.message).toMatch(why);
});

it.each([
	[undefined, /^\[task_1\.mp4\]\(https:.*until 2026-11-22 00:22 UTC/],
	[0, /^The file is stored with this n8n execution\.$/],
])('tells a chat of a file with %p hours', (hours, words) => {
	expect(toFileWords([STORED], hours, makeN8n(signsFor(N8N)))).toMatch(words);
});
