'use strict';

// The body of a submit: read from JSON or a form, looked into, and compared with what a page documents.

/** @typedef {{ name: string, type: string, bytes: Buffer }} FormFile a file of a form */

const isFile = (value) => Buffer.isBuffer(value?.bytes);

/** Texts of forms that are JSON, as forms carry `metadata`. */
function fromText(text) {
	if (!/^\s*[[{]/.test(text)) return text;
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

async function readForm(bytes, type) {
	const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
	const fields = {};
	for (const name of new Set(form.keys())) {
		const values = await Promise.all(
			form.getAll(name).map(async (value) => {
				if (typeof value === 'string') return fromText(value);
				const content = Buffer.from(await value.arrayBuffer());
				return { name: value.name, type: value.type, bytes: content };
			}),
		);
		fields[name] = values.length === 1 ? values[0] : values;
	}
	return fields;
}

/**
 * @param {Buffer} bytes
 * @param {string} [type] the Content-Type
 * @returns {Promise<{ encoding: 'json' | 'form' | 'none', fields: Record<string, any> }>} `none`: it is
 *   neither a JSON object nor a form
 */
async function readBody(bytes, type = '') {
	const isForm = /^multipart\/form-data\b/i.test(type);
	try {
		const fields = isForm ? await readForm(bytes, type) : JSON.parse(bytes.toString('utf8'));
		if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
			return { encoding: isForm ? 'form' : 'json', fields };
		}
	} catch {
		// Below.
	}
	return { encoding: 'none', fields: {} };
}

const isEmpty = (value) => value === undefined || value === null || value === '';

/** The value at a path such as `a.b`; of two paths, both values as `1280x720`. */
function valueAt(fields, path) {
	const values = path
		.split(',')
		.map((one) => one.split('.').reduce((value, name) => value?.[name], fields));
	if (values.some(isEmpty)) return undefined;
	return values.length === 1 ? values[0] : values.join('x');
}

/** The texts, numbers and files in a value, however deep. */
const leavesOf = (value) =>
	typeof value !== 'object' || value === null || isFile(value)
		? [value]
		: Object.values(value).flatMap(leavesOf);

const isText = (value) => typeof value === 'string';
const isUrl = (value) => isText(value) && /^https?:\/\/\S+$/.test(value);
const isPicture = (value) =>
	isUrl(value) ||
	(isText(value) && /^(data:image\/[\w.+-]+;base64,)?[A-Za-z0-9+/]+=*$/.test(value));
/** A form has texts only. */
const isNumber = (value, encoding) =>
	encoding === 'form' ? isText(value) && /^\d+(\.\d+)?$/.test(value) : typeof value === 'number';

/** @type {Record<string, [fits: (value: any, encoding: string) => boolean, name: string]>} */
const TYPES = {
	any: [() => true, 'anything'],
	file: [(value) => [value].flat().every(isFile), 'a file'],
	integer: [
		(value, encoding) => isNumber(value, encoding) && Number.isInteger(Number(value)),
		'int',
	],
	list: [Array.isArray, 'a list'],
	number: [isNumber, 'number'],
	object: [(value) => typeof value === 'object' && !Array.isArray(value), 'object'],
	objects: [
		(value) => Array.isArray(value) && value.every((one) => typeof one === 'object'),
		'a list of objects',
	],
	picture: [isPicture, 'an address or base64'],
	pixels: [(value) => isText(value) && /^\d{2,5}x\d{2,5}$/.test(value), 'widthxheight'],
	text: [isText, 'string'],
	url: [isUrl, 'an address'],
	urls: [(value) => Array.isArray(value) && value.every(isUrl), 'a list of addresses'],
};

const isOneOf = (value, values) => values.some((one) => String(one) === String(value));

/**
 * What is wrong with a documented field, as a sentence.
 * @param {import('./records').Field} field
 */
function problemOfField([at, type, values], { fields, encoding }) {
	const [fits, name] = TYPES[type];
	for (const path of at.split(',')) {
		const value = valueAt(fields, path);
		if (value === undefined) continue;
		if (!fits(value, encoding)) {
			const given = Array.isArray(value) ? 'array' : isFile(value) ? 'file' : typeof value;
			return `cannot unmarshal ${given} into field ${path} of type ${name}`;
		}
		if (values && !isOneOf(value, values)) return `${path} must be one of ${values.join(', ')}`;
	}
	return undefined;
}

/**
 * The first thing that is wrong with a submit, as a sentence; fields that the page does not document
 * are ignored.
 * @param {import('./records').ServiceRecord} record
 * @param {Awaited<ReturnType<typeof readBody>>} body
 * @returns {string | undefined}
 */
function problemOf(record, body) {
	const { settings, required = ['model', 'prompt'], forbidden = [], rules = [] } = record;
	const has = (path) => valueAt(body.fields, path) !== undefined;
	const missing = required.find((path) => !has(path));
	if (missing) return `${missing} is required`;
	const unwanted = forbidden.find(has);
	if (unwanted) return `INVALID_ARGUMENT: unknown name ${unwanted}`;
	const broken = rules.find(
		(rule) => has(rule.if[0]) && !problemOfField(rule.if, body) && problemOfField(rule.then, body),
	);
	if (broken) return problemOfField(broken.then, body);
	const all = Object.values(settings).flat();
	if (record.isStrict) {
		const names = [...all, ...record.others].flatMap(([at]) => at.split(','));
		const known = ['model', 'prompt', ...required, ...names].map((at) => at.split('.')[0]);
		const unknown = Object.keys(body.fields).find((name) => !known.includes(name));
		if (unknown) return `Unknown parameter: '${unknown}'.`;
	}
	const [one, ...rest] = (record.exclusive ?? []).filter((paths) => paths.some(has));
	if (rest.length > 0) return `${one.join(', ')} cannot be combined with ${rest.flat().join(', ')}`;
	const fields = [...all, ...record.others];
	return fields.map((field) => problemOfField(field, body)).find(Boolean);
}

module.exports = { isFile, leavesOf, problemOf, readBody, valueAt };
