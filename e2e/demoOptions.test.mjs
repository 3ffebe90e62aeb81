import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { freePort } from '../sandbox/n8n/ports.mjs';
import { runDemo } from './support/demoProcess.mjs';

// What the demo says of its options, before it starts anything.

test('it refuses in one clear sentence', async (t) => {
	const busy = createServer();
	await new Promise((resolve) => busy.listen(0, '127.0.0.1', resolve));
	t.after(() => busy.close());
	const taken = String(busy.address().port);
	const free = String(await freePort());
	const refusals = [
		[['--port', taken], new RegExp(`Port ${taken} for n8n is in use.*--port`)],
		[['--port', free, '--service-port', taken], new RegExp(`Port ${taken} .*--service-port`)],
		[['--port', free, '--service-port', free], /--port and --service-port must differ\./],
		[['--port', 'many'], /--port must be a number from 1 to 65535, not "many"/],
		[['--nonsense'], /Unknown option '--nonsense'\. --help shows the options\./],
		[['extra'], /extra.*--help shows the options\./],
		[['--base-url', 'https://example.com'], /set VIDEO_API_KEY/],
		[['--base-url', 'nowhere', '--key', 'k-1'], /--base-url must be a web address/],
		[['--key', 'k-1'], /--base-url/],
		[
			['--port', free, '--base-url', 'https://example.com', '--key', 'k-1'],
			/costs money[^]*There is no terminal to ask for confirmation\. Add --yes/,
		],
	];
	for (const [args, sentence] of refusals) {
		const { code, output } = await runDemo(t, args);
		assert.equal(code, 1, output);
		assert.match(output, sentence);
		assert.doesNotMatch(output, /\n {4}at |k-1/);
	}
});

test('--help tells the options without starting anything', async (t) => {
	const { code, output } = await runDemo(t, ['--help']);
	assert.equal(code, 0);
	assert.match(output, /--service-port N/);
	assert.doesNotMatch(output, /\[1\/5\]/);
});
