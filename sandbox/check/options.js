'use strict';

const { fail, readOptions, toNumber } = require('../service/commandLine');
const { KEY_ARGUMENT, holdsKey } = require('./keyArguments');

const USAGE = `Usage: npm run check:service -- --base-url https://api.example.com [options]

Tells which documented rows of the service a deployment keeps. Nothing that it sends by default can
cost money. The key comes from VIDEO_API_KEY, or is asked for; the text protocol's, where it is another
one, from TEXT_API_KEY.

  --render MODEL    orders one short video of this model, after asking. This costs money
  --yes             does not ask before that
  --seconds N       its length, 1 to 60; otherwise the model's own
  --wait MINUTES    how long to wait for it (default 15)
  --header NAME     header of the text key (default x-goog-api-key)
  --key-in-query    sends the text key as ?key=, too: addresses end up in logs
  --timeout SECONDS for each request (default 20)
  --json            prints JSON instead of a table
  --help            this text

Exit code: 0 what was tested is as the contract promises, 1 something differs from it, 2 the command
was not understood, 3 the service cannot be reached.
`;

const OPTIONS = {
	'base-url': { type: 'string', default: '' },
	render: { type: 'string' },
	yes: { type: 'boolean', default: false },
	seconds: { type: 'string' },
	wait: { type: 'string', default: '15' },
	header: { type: 'string', default: 'x-goog-api-key' },
	'key-in-query': { type: 'boolean', default: false },
	timeout: { type: 'string', default: '20' },
	json: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
};

const BAD_USAGE = 2;

/** What people type behind the host, and the nodes add by themselves. */
const TYPED_TAIL = /(\/v1(beta)?(\/.*)?)?\/*$/;

function toBaseUrl(typed) {
	const url = URL.canParse(typed) ? new URL(typed) : undefined;
	const isAddress = /^https?:$/.test(url?.protocol ?? '') && !url.search && !url.hash;
	if (isAddress && !url.username && !url.password) return url.href.replace(TYPED_TAIL, '');
	return fail(
		'--base-url is a web address such as https://api.example.com, without a user, a ? or a #.',
		BAD_USAGE,
	);
}

/** The command line as plain values, or the end with 2. */
function readCommandLine(args, keys) {
	// Before anything else: what comes after this quotes arguments.
	if (args.some((argument) => holdsKey(argument, keys))) fail(KEY_ARGUMENT, BAD_USAGE);
	const values = readOptions(OPTIONS, USAGE, { code: BAD_USAGE });
	const number = (name, limits) => toNumber(values, name, { ...limits, code: BAD_USAGE });
	if (!/^x-[a-z\d]+-api-key$/i.test(values.header)) {
		fail('--header is a name such as x-goog-api-key.', BAD_USAGE);
	}
	if (values.render?.trim() === '') fail('--render is the name of a model.', BAD_USAGE);
	return {
		baseUrl: toBaseUrl(values['base-url']),
		render: values.render,
		yes: values.yes,
		json: values.json,
		headerName: values.header.toLowerCase(),
		keyInQuery: values['key-in-query'],
		seconds:
			values.seconds === undefined
				? undefined
				: number('seconds', { least: 1, most: 60, whole: true }),
		waitMs: number('wait', { most: 24 * 60 }) * 60_000,
		timeoutMs: number('timeout', { least: 1, most: 600 }) * 1000,
	};
}

module.exports = { BAD_USAGE, USAGE, readCommandLine };
