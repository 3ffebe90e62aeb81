#!/usr/bin/env node
// `npm run sandbox -- check`: asks a deployment the documented questions that cost nothing. All of them
// are GET requests, and the task that they ask for is made up, so nothing can start or be billed.
import { randomBytes } from 'node:crypto';
import commandLine from './commandLine.js';

const { fail, readOptions, toNumber } = commandLine;

const USAGE = `Usage: VIDEO_API_KEY=... npm run sandbox -- check --base-url https://api.example.com

Asks a deployment the documented questions that cost nothing, and prints what it answers.

  --header NAME      header of the text key (default x-goog-api-key)
  --timeout SECONDS  for each request (default 20)
  --help             this text

VIDEO_API_KEY is the key, TEXT_API_KEY that of the text protocol where it is another one. Exit code: 0 as
the contract promises, 1 something differs from it, 2 the command was not understood, 3 no answer.
`;
const OPTIONS = {
	'base-url': { type: 'string', default: '' },
	header: { type: 'string', default: 'x-goog-api-key' },
	timeout: { type: 'string', default: '20' },
	help: { type: 'boolean', default: false },
};
const BAD_USAGE = 2;

function readSettings() {
	const values = readOptions(OPTIONS, USAGE, { code: BAD_USAGE });
	const { VIDEO_API_KEY: key = '', TEXT_API_KEY: textKey = key } = process.env;
	if (!key) fail('VIDEO_API_KEY is not set.', BAD_USAGE);
	const base = values['base-url'];
	const isAddress = URL.canParse(base) && /^https?:$/.test(new URL(base).protocol);
	if (!isAddress) fail('--base-url is a web address such as https://api.example.com.', BAD_USAGE);
	const timeoutMs = toNumber(values, 'timeout', { least: 1, most: 600, code: BAD_USAGE }) * 1000;
	return { base: base.replace(/\/+$/, ''), header: values.header, key, textKey, timeoutMs };
}

const refusesKey = ({ status }) => status === 401 || status === 403;

/** The questions. `contract` rows decide about the exit code; the others are good to know. */
function questions({ header, key, textKey }) {
	const random = randomBytes(6).toString('hex');
	const bearer = (value) => ({ authorization: `Bearer ${value}` });
	const poll = `/v1/video/generations/task_check_service_${random}`;
	const content = `/v1/videos/task_check_service_${random}/content`;
	const native = (value) => ({ [header]: value });
	const wrong = `no-such-key-${random}`;
	const promised = (row, path, headers, says, keeps) => {
		return { row, path, headers, says, keeps, contract: true };
	};
	const seen = (row, path, headers, says, keeps) => ({ row, path, headers, says, keeps });
	return [
		promised('Key for video', poll, bearer(key), 'accepted', (one) => !refusesKey(one)),
		promised('Unknown task', poll, bearer(key), '400 task_not_exist', ({ status, json }) => {
			return status === 400 && json?.code === 'task_not_exist';
		}),
		promised('No key', poll, {}, 'refused', refusesKey),
		promised('Wrong key', poll, bearer(wrong), 'refused', refusesKey),
		promised('Unknown download', content, bearer(key), '404', ({ status }) => status === 404),
		promised('Wrong key, download', content, bearer(wrong), 'refused', refusesKey),
		seen('List of models', '/v1/models', bearer(key), '{data:[{id}]}', ({ json }) => {
			return typeof json?.data?.[0]?.id === 'string';
		}),
		seen('List for text', '/v1beta/models', native(textKey), '{models:[{name}]}', ({ json }) => {
			return typeof json?.models?.[0]?.name === 'string';
		}),
		seen('Wrong key, text', '/v1beta/models', native(wrong), 'refused', refusesKey),
		seen('Unit of quota', '/api/status', {}, 'quota_per_unit', ({ json }) => {
			return json?.data?.quota_per_unit > 0;
		}),
	];
}

/** Resolves to the status and the JSON, if it is JSON. Redirects would carry the key along. */
async function ask({ base, timeoutMs }, { path, headers }) {
	const signal = AbortSignal.timeout(timeoutMs);
	const answer = await fetch(base + path, { headers, signal, redirect: 'manual' });
	const json = await answer.json().catch(() => undefined);
	return { status: answer.status, json };
}

/** Shows nothing but status and code: a server may quote the key in its words. */
function describe({ status, json }, { key, textKey }) {
	const code = json?.error?.code ?? json?.code;
	const isPlain = typeof code === 'string' && /^[a-z_]{1,40}$/.test(code);
	const isShown = isPlain && code !== key && code !== textKey;
	return `${status} ${isShown ? code : json === undefined ? '(no JSON)' : ''}`.trim();
}

const settings = readSettings();
const line = (cells) =>
	`${cells.map((cell, at) => cell.padEnd([22, 20, 28][at] ?? 0)).join('  ')}\n`;
process.stdout.write(line(['', 'documented', 'seen', '']));
for (const question of questions(settings)) {
	const answer = await ask(settings, question).catch(({ name }) =>
		fail(`There is no whole answer (${name}).`, 3),
	);
	// A busy service says nothing of the question.
	const isBusy = answer.status === 429;
	const verdict = isBusy ? 'not tested' : question.keeps(answer) ? 'kept' : 'differs';
	if (verdict === 'differs' && question.contract) process.exitCode = 1;
	process.stdout.write(line([question.row, question.says, describe(answer, settings), verdict]));
}
