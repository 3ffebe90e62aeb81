'use strict';

const judges = require('./renderJudges');
const { differs, notTested } = require('./verdicts');

// What is documented of a task and its video, for the one render that was ordered.

const ENDS = {
	'no task': 'there is no task',
	failed: 'the render ended in FAILURE',
	unfinished: 'the render is not finished yet',
	done: 'no record came',
};

/** A judge of a render; there may be none, or not as far as this. */
const of =
	(isThere, judge) =>
	({ render, noRender, ...answers }) => {
		if (!render) return notTested(noRender);
		return isThere(render) ? judge(render, answers) : notTested(ENDS[render.end]);
	};

const hasTask = ({ id }) => id !== undefined;
const hasRecord = ({ record }) => record !== undefined;
const isDone = ({ end }) => end === 'done';

/** What a task must have: that its record never came is a difference. */
const ofRecord = (judge) =>
	of(hasTask, (render, answers) =>
		hasRecord(render) ? judge(render, answers) : differs('no record came'),
	);

const by = (whom) => (row, says, judge) => ({ by: whom, row, says, judge });
const contract = by('contract');
const gateways = by('gateways');

const FIELDS = 'id = task_id, object video, model, status queued, progress 0';
const RECORD = 'code success; data: task_id, status, progress as text';
const ADDRESS = 'result_url at SUCCESS: the content endpoint';

const RENDER_ROWS = [
	contract(
		'Submit',
		'answers at once with a task',
		of(() => true, judges.judgeSubmit),
	),
	contract('Fields of the submit', FIELDS, of(hasTask, judges.judgeFields)),
	contract('Record', RECORD, ofRecord(judges.judgeRecord)),
	contract('States', judges.STATES.join(', '), ofRecord(judges.judgeStates)),
	contract('Progress', 'as text, 100% at SUCCESS', of(hasRecord, judges.judgeProgress)),
	contract('End', 'SUCCESS or FAILURE ends it', of(hasTask, judges.judgeEnd)),
	contract('Result address', ADDRESS, of(isDone, judges.judgeAddress)),
	contract('Download', '200 video/mp4, or a redirect to it', of(isDone, judges.judgeVideo)),
	gateways(
		'Part of a download',
		'206 for a Range, or 200, the whole',
		of(isDone, judges.judgeRange),
	),
	gateways('HEAD of a download', '404: only GET is there', of(isDone, judges.judgeHead)),
	gateways('Cost', 'quota in the record', of(hasRecord, judges.judgeCost)),
	gateways('Factors of the price', 'X-New-Api-Other-Ratios', of(hasTask, judges.judgeFactors)),
];

module.exports = { RENDER_ROWS };
