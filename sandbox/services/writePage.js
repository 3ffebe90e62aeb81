#!/usr/bin/env node
'use strict';

// A part of `npm run write`: docs/services.md, from what the pages of hosted services say.

const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { READ, RECORDS } = require('./records');

const PAGE = join(__dirname, '..', '..', 'docs', 'services.md');

const code = (text) => `\`${text}\``;

/** "`seconds` text: 4, 6, 8"; several fields with "or". */
const toSetting = (fields = []) =>
	fields
		.map(([at, type, values]) => {
			const paths = at.split(',').map(code).join(' and ');
			return `${paths} ${type}${values ? `: ${values.join(', ')}` : ''}`;
		})
		.join('; or ') || 'not shown';

const toEncodings = ({ encodings }) =>
	encodings.map((name) => ({ json: 'JSON', form: 'form' })[name]).join(' or ');

function toFile({ file: { at = [], content, contentPath = '/v1/videos/{id}/content' } }) {
	const places = at.map(code);
	if (content) places.push(`${code(`GET ${contentPath}`)}${content === 'json' ? ', as JSON' : ''}`);
	return places.join('; or ');
}

/** "a and b" */
const enumerate = (words) => words.join(', ').replace(/, ([^,]*)$/, ' and $1');

const BY_AUTO = ['/v1/video/generations', '/v1/videos'];
const toApi = ({ submitPaths }) =>
	submitPaths.some((path) => BY_AUTO.includes(path)) ? 'Auto' : 'Custom Paths';

const toRow = (record) =>
	[
		record.name,
		toApi(record),
		record.families.join(', '),
		record.submitPaths.map((path) => code(`POST ${path}`)).join(' or '),
		toEncodings(record),
		...['length', 'ratio', 'resolution', 'image'].map((name) => toSetting(record.settings[name])),
		record.pollPaths.map((path) => code(`GET ${path}`)).join(' or '),
		toFile(record),
		READ,
	].join(' | ');

const HEADINGS = [
	...[
		'service',
		'API',
		'families',
		'submit',
		'body',
		'length',
		'ratio',
		'resolution',
		'picture',
		'poll',
	],
	...['the file', 'read'],
];

const toSource = ({ name, page, dated, model, assumed, notes = [] }) => {
	const about = [`${page}${dated ? ` (${dated})` : ''}`, `example: ${code(model)}`].join(', ');
	const missing = assumed ? [`Not shown, and assumed here: ${enumerate(assumed)}.`] : [];
	return `- **${name}**: ${[`${about}.`, ...notes, ...missing].join(' ')}`;
};

const toPage = () => `# Hosted services

What the pages of some hosted services say about their video API. These pages were **read, not tried**: the
services may have changed since, and most pages have no date of their own. Written by ${code('npm run write')} from
${code('sandbox/services/records.js')}.

The column API is the value of that field in the [credential](credentials.md#how-the-service-takes-videos).

If yours is not among them, or does something else, look at its page for the same facts: where a video is
submitted, and where the settings go. If it repeats your images in its answers, give large ones by URL: the nodes
read answers up to 16 MB.

<!-- prettier-ignore -->
| ${HEADINGS.join(' | ')} |
|${' - |'.repeat(HEADINGS.length)}
${RECORDS.map((record) => `| ${toRow(record)} |`).join('\n')}

${code('text')} is a value in quotes, ${code('integer')} and ${code('number')} are values without (a form
has texts only), ${code('pixels')} is width and height, as in ${code('1280x720')}. A ${code('picture')} is an
address, base64 or a data URI, a ${code('file')} is part of a form. Of several fields, the first one counts.

## The pages

<!-- prettier-ignore -->
${RECORDS.map(toSource).join('\n')}
`;

if (require.main === module) writeFileSync(PAGE, toPage());

module.exports = { toPage };
