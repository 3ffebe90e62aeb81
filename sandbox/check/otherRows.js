'use strict';

const answer = require('./answer');
const { toText } = require('./words');
const { behindKey, differs, kept, notTested, of } = require('./verdicts');

const { describe, isObject, isRefusal, isText, isUnknownAddress, saidOf } = answer;

// What is documented of the text addresses, and what gateways tell besides: lists and money.

/** What speaks of the address or of the key says nothing of an action. */
function isTextThere(answered, { unknownAddress }) {
	if (answered.status < 300) return differs(`${describe(answered)}: answered without contents`);
	if (!isRefusal(answered)) return false;
	if (unknownAddress.trouble || !isUnknownAddress(answered, unknownAddress)) return true;
	return differs(`${describe(answered)}, as for an address that is not there`);
}

const isKeyAccepted = (answered) => answered.json !== undefined && answered.status !== 401;

const names = (list, name) =>
	Array.isArray(list)
		? list
				.filter(isObject)
				.map((one) => one[name])
				.filter(isText)
		: [];

/** How many there are, and by whom, without saying all their names. */
function toList(answered, list, name) {
	const found = names(list, name);
	if (answered.status !== 200 || found.length === 0) return differs(describe(answered));
	const owners = [...new Set(names(list, 'owned_by'))].sort();
	const by = owners.length > 0 ? `, by ${owners.join(', ')}` : '';
	return kept(`${found.length} model${found.length === 1 ? '' : 's'}${by}`);
}

const TEXT_ROWS = [
	{
		by: 'contract',
		row: 'Key for text, header',
		says: 'x-<vendor>-api-key is accepted',
		judge: of('text', isKeyAccepted),
	},
	{
		by: 'contract',
		row: 'Key for text, query',
		says: '?key= is accepted',
		judge: (answers) =>
			answers.textQuery
				? of('textQuery', isKeyAccepted)(answers)
				: notTested('addresses end up in logs; --key-in-query sends it'),
	},
	{
		by: 'contract',
		row: 'Wrong key, text',
		says: 'refused',
		judge: of('textWrongKey', ({ status }) => status === 401 || status === 403),
	},
	{
		by: 'contract',
		row: 'Text address',
		says: 'POST …/{model}:generateContent',
		judge: behindKey('text', isTextThere),
	},
	{
		by: 'contract',
		row: 'Streamed text address',
		says: 'POST …/{model}:streamGenerateContent',
		judge: behindKey('textStream', isTextThere),
	},
	{
		by: 'gateways',
		row: 'Unknown text model',
		says: '503 model_not_found',
		judge: behindKey(
			'text',
			(answered) => answered.status === 503 && saidOf(answered)?.code === 'model_not_found',
		),
	},
];

const LIST_ROWS = [
	{
		by: 'gateways',
		row: 'List of models',
		says: 'GET /v1/models: {data:[{id,owned_by}]}',
		judge: behindKey('models', (answered) => toList(answered, answered.json?.data, 'id')),
	},
	{
		by: 'gateways',
		row: 'List for text',
		says: 'GET /v1beta/models: {models:[{name}]}',
		judge: behindKey('nativeModels', (answered) => toList(answered, answered.json?.models, 'name')),
	},
	{
		by: 'gateways',
		row: 'Unit of quota',
		says: 'GET /api/status, public: quota_per_unit',
		judge: of('status', (answered) => {
			const { quota_per_unit: perUnit, quota_display_type: type = 'USD' } =
				answered.json?.data ?? {};
			return Number.isFinite(perUnit) && perUnit > 0
				? kept(`${perUnit} = 1 USD, shown in ${toText(type)}`)
				: differs(`${describe(answered)}; costs are not told`);
		}),
	},
];

module.exports = { TEXT_ROWS, LIST_ROWS };
