import type { IBinaryData } from 'n8n-workflow';

import { toLinkFields } from '../../../../nodes/shared/download/link';
import { makeRun } from '../../../support/makeRun';

const STORED = { id: 'filesystem-v2:a/b', fileName: 'task_1.mp4' } as IBinaryData;
const N8N = 'https://n8n.example.com';

/** An n8n that signs links for an address, or says why not. */
function makeN8n(sign?: (binary: IBinaryData, expiresIn: string) => string, editorUrl?: string) {
	const helpers = sign && { createBinarySignedUrl: sign };
	const editor = editorUrl !== undefined && { getInstanceBaseUrl: () => editorUrl };
	const run = makeRun({ more: { helpers: helpers ?? {}, ...editor } });
	run.clock.now = () => Date.parse('2026-11-21T00:22:40Z');
	return run;
}
const signsFor = (base: string) => (binary: IBinaryData, expiresIn: string) =>
	`${base}/rest/binary-data/signed?token=${binary.id}.${expiresIn}`;

it.each([
	[0.5, '1800s', '2026-11-21T00:52:40.000Z'],
	[0.0001, '1s', '2026-11-21T00:22:41.000Z'],
	[8760, '31536000s', '2027-11-21T00:22:40.000Z'],
])('ends after %d hours', (hours, expiresIn, end) => {
	const fields = toLinkFields(STORED, hours, makeN8n(signsFor(N8N)));
	expect(fields.link).toMatch(new RegExp(`\\.${expiresIn}$`));
	expect(fields.link_expires_at).toBe(end);
});

const LOCAL = 'http://localhost:5678';
const PATH = '/rest/binary-data/signed?token=filesystem-v2:a/b.86400s';

it.each([
	['for itself', LOCAL, undefined, LOCAL],
	['for the editor', LOCAL, `${N8N}/`, N8N],
	['for an editor with a path', LOCAL, 'https://a.example/n8n', 'https://a.example/n8n'],
	['for one path of both', `${LOCAL}/n8n`, 'https://a.example/n8n/', 'https://a.example/n8n'],
	['for an editor with a password', LOCAL, 'https://u:p@a.example/', 'https://a.example'],
	['for webhooks', 'https://hooks.example', 'https://a.example/', 'https://hooks.example'],
])('where n8n signs %s', (_what, base, editorUrl, expected) => {
	const fields = toLinkFields(STORED, 24, makeN8n(signsFor(base), editorUrl));
	expect(fields.link).toBe(expected + PATH);
	const warns = /only on n8n's own machine \(http:\/\/localhost:5678\).* set WEBHOOK_URL/;
	expect(warns.test(String(fields.message))).toBe(expected === LOCAL);
});

const throws = (thrown: unknown) => () => {
	throw thrown;
};
const IN_MEMORY = { ...STORED, id: undefined } as IBinaryData;

it.each([
	['in memory', throws(new Error('never')), IN_MEMORY, /n8n keeps files in memory/],
	['in an old version', undefined, STORED, /this version of n8n cannot make one/],
	['where n8n refuses', throws(new Error('No [x](y)')), STORED, /to it: no \\\[x\\\]\(y\)\./],
	['where n8n gives none', () => '', STORED, /n8n gave no web address/],
])('says why there is none %s, and never throws', (_where, sign, binary, why) => {
	const fields = toLinkFields(binary, 24, makeN8n(sign));
	expect(Object.keys(fields)).toEqual(['message']);
	expect(fields.message).toMatch(why);
});
