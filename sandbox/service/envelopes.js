'use strict';

// What resellers put around the gateway's answers. The id stays in them, under a name and at a level
// of their own.

/** @type {Record<string, (record: object) => object>} from a task's record to an answer */
const ENVELOPES = {
	beside: (record) => ({ ...record, data: { url: '' } }),
	list: (record) => ({ data: [record] }),
	nested: (record) => ({ code: 'success', data: { video: record } }),
	request: (record) => ({ id: 'request_0123', status: 'success', data: record }),
	result: (record) => ({ result: record }),
	taskId: ({ id: _id, task_id: taskId, ...record }) => ({
		code: 0,
		message: 'ok',
		data: { taskId, ...record },
	}),
};

/** Under which of its names a submit tells the id; by `id` where nothing is said here. */
const NAMES_OF_ID = { nested: 'task_id', taskId: 'task_id' };

/** A submit's answer in an envelope: the id, and nothing else that would give it away. */
const envelopedId = (envelope, id) => ENVELOPES[envelope]({ [NAMES_OF_ID[envelope] ?? 'id']: id });

/** Some databases count their tasks, beyond what a number of JavaScript can hold. */
function withNumberAsId(answer, id) {
	return {
		status: answer.status,
		headers: { 'content-type': 'application/json; charset=utf-8' },
		text: JSON.stringify(answer.json).split(`"${id}"`).join(id),
	};
}

module.exports = { ENVELOPES, envelopedId, withNumberAsId };
