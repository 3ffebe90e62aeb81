#!/usr/bin/env node
// Lints the sources, and each node's description as it is built: n8n's rules do not look into the
// imported lists that ours are made of. Prints what it finds; ends with 1 if that is anything.
import { ESLint } from 'eslint';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../../sandbox/n8n/folders.mjs';

const require = createRequire(import.meta.url);
const eslint = new ESLint({
	cwd: ROOT,
	overrideConfigFile: path.join(ROOT, 'test', 'runner', 'eslint.config.mjs'),
});

// A ratio, a number of seconds or a field has no ID, so these lists do without the words for IDs.
const NOT_FOR_LISTS = ['display-name', 'description'].map(
	(part) => `n8n-nodes-base/node-param-${part}-wrong-for-dynamic-options`,
);

/** Lints a node's source with its description as it is built in the place of the written one. */
async function lintBuilt(built) {
	const [[, Node]] = Object.entries(require(path.join(ROOT, built)));
	const { usableAsTool, ...description } = new Node().description;
	const filePath = path.join(ROOT, built.replace('dist/', '').replace('.js', '.ts'));
	const literal = JSON.stringify(description, null, 1)
		.replace(/^( *)"(\w+)":/gm, '$1$2:')
		.replaceAll('"main"', 'NodeConnectionTypes.Main')
		.replaceAll('"ai_languageModel"', 'NodeConnectionTypes.AiLanguageModel');
	const text = (await readFile(filePath, 'utf8')).replace(
		/(description: INodeTypeDescription = \{)[^]*?\n\t\};/,
		(_all, begin) => `${begin}\nusableAsTool: ${usableAsTool},${literal.slice(1)};`,
	);
	const [result] = await eslint.lintText(text, { filePath });
	const messages = result.messages.filter(
		({ ruleId }) => /^@?n8n/.test(ruleId ?? '') && !NOT_FOR_LISTS.includes(ruleId),
	);
	return { ...result, filePath: built, messages };
}

const { nodes } = require('../../package.json').n8n;
const results = await eslint.lintFiles(['.']);
for (const built of nodes) results.push(await lintBuilt(built));

const { format } = await eslint.loadFormatter('stylish');
const found = results.filter(({ messages }) => messages.length > 0);
if (found.length > 0) console.log(await format(found));
process.exitCode = found.length > 0 ? 1 : 0;
