import type { Entry } from '../../../../sandbox/service';
import { failing, row, type FaultRow } from '../row';

const unclear = failing(/^The video may or may not have been accepted: .* \[item 0\]$/, {
	retryable: false,
	description: expect.stringMatching(/was not submitted again/),
});

/** No matter what the service then did: a second submission might be paid for twice. */
const accepted: Array<[string, Entry, Partial<FaultRow>?]> = [
	['500', 'acceptThen500'],
	['502', 'acceptThen502'],
	['504', 'acceptThen504'],
	['520', { fault: 'html520', accept: true }],
	['500 without a body', { fault: 'empty500', accept: true }],
	['408', { status: 408, text: '', accept: true }],
	['200 without a body', 'acceptThenEmpty200'],
	['a cut connection', 'acceptThenCut'],
	['an answer whose end is missing', { closeDelimited: true, cutAfterBytes: 40 }],
	['a reset connection', 'acceptThenReset'],
	['silence', 'acceptThenHang', { hurry: 300 }],
	['half an answer, then silence', { stallAfterBytes: 40 }, { hurry: 300 }],
];

const notAccepted: Array<[string, Entry]> = [
	['500', 'json500'],
	['500 without a body', 'empty500'],
	['500 with a page', { status: 500, html: '<html><title>Oops</title></html>' }],
	['502 with a page', 'html502'],
	['504 with a page', 'html504'],
	['520 with a page', 'html520'],
	['200 without a body', 'empty200'],
	['200 with a page', 'html200'],
	['200 with the page of a web app', { status: 200, html: '<div id="app"></div>' }],
	['200 with a code that nobody knows', 'codeFailWith200'],
	['200 with a code that nobody knows and a text', 'scalarData'],
	['a JSON list', 'arrayBody'],
	['a JSON number', 'numberBody'],
	['a JSON text', 'stringBody'],
	['an envelope around nothing', 'nullData'],
	['JSON that stops in the middle', 'truncatedJson'],
	['an object without an id', { status: 200, json: { object: 'video', status: 'queued' } }],
	['ids that are no ids', { status: 200, json: { id: { a: 1 }, task_id: [] } }],
	['a cut connection', 'cut'],
	['a reset connection', 'reset'],
];

export const submitUnclear: FaultRow[] = [
	row(
		'submit: 429, then accepted with 500',
		{ submit: ['rateLimited', 'acceptThen500'] },
		unclear,
		{
			posts: 2,
			hurry: 50,
		},
	),
	...accepted.map(([what, submit, more]) =>
		row(`submit: accepted, then ${what}`, { submit }, unclear, more),
	),
	row('submit: a Base URL with a page behind it', {}, unclear, {
		baseUrl: ({ url }) => `${url}/console`,
		paid: 0,
	}),
	...notAccepted.map(([what, submit]) => row(`submit: ${what}`, { submit }, unclear, { paid: 0 })),
];
