'use strict';

const { ANSWER_FAULTS, WIRE_FAULTS } = require('../service/faults');
const { changeSettings } = require('../service/deployment');
const { ANSWER_KEYS, PLAN, answerOf, object, oneOrMore, text, whole } = require('../service/plan');

// What a person can tell the vendors. A plan is the JSON object behind the word `sandbox:` in a prompt,
// as at the sandbox service: a gateway hands prompts on, so a person in n8n can tell the vendor behind
// it what to do. The faults have the sandbox service's names; what is an error there is the same error
// here in the words of the vendor that was asked, so that the gateway makes the service's answer of it.

const REFUSALS = {
	badRequest: { about: 'a field is wrong', status: 400, message: 'A field has a wrong value' },
	unauthorized: { about: 'the vendor key is wrong', status: 401, message: 'The key is not valid' },
	noQuota: { about: 'the account is empty', status: 402, message: 'The balance is not enough' },
	forbidden: { about: 'the account may not do it', status: 403, message: 'Permission denied' },
	notFound404: { about: 'there is no such task', status: 404, message: 'Not found' },
	rateLimited: { about: 'too many requests', status: 429, message: 'Too many requests' },
	json500: { about: 'the vendor has a defect', status: 500, message: 'Internal error' },
	json503: { about: 'the vendor is overloaded', status: 503, message: 'The model is overloaded' },
	filtered: { about: 'the input is not allowed', status: 400, message: 'The input was blocked' },
};

// The vendors' codes for the refusals. The row "empty" has the status of an account that is empty.
const TABLES = [
	`            google             ark                                  dashscope
badRequest   INVALID_ARGUMENT   InvalidParameter                     InvalidParameter
unauthorized UNAUTHENTICATED    AuthenticationError                  InvalidApiKey
noQuota      RESOURCE_EXHAUSTED AccountOverdueError                  Arrearage
forbidden    PERMISSION_DENIED  OperationDenied.PermissionDenied     AccessDenied
notFound404  NOT_FOUND          InvalidEndpointOrModel.NotFound      ModelNotFound
rateLimited  RESOURCE_EXHAUSTED RateLimitExceeded.EndpointRPMExceeded Throttling.RateQuota
json500      INTERNAL           InternalServiceError                 InternalError
json503      UNAVAILABLE        ServerOverloaded                     ServiceUnavailable
filtered     INVALID_ARGUMENT   InputTextSensitiveContentDetected    DataInspectionFailed
empty        429                403                                  400`,
	`            vidu               kling minimax jimeng
badRequest   FieldInvalid       1201  2013    50215
unauthorized Unauthorized       1002  1004    50400
noQuota      CreditInsufficient 1102  1008    50402
forbidden    PermissionDenied   1103  2049    50403
notFound404  TaskNotFound       1203  2013    50404
rateLimited  QuotaExceeded      1302  1002    50429
json500      SystemThrottling   5000  1000    50500
json503      ServiceUnavailable 5001  1001    50501
filtered     AuditSubmitIllegal 1301  1026    50412
empty        402                429   402     402`,
];

/** The codes by vendor and refusal; those in digits are numbers. */
const CODES = {};
for (const table of TABLES) {
	const [vendors, ...rows] = table.split('\n').map((row) => row.trim().split(/ +/));
	for (const [kind, ...codes] of rows) {
		for (const [index, code] of codes.entries()) {
			const known = (CODES[vendors[index]] ??= {});
			known[kind] = /^\d+$/.test(code) ? Number(code) : code;
		}
	}
}

/**
 * A vendor's way to refuse.
 * @param {string} vendor a column of the tables
 * @param {(code: any, message: string, status: number) => object} toJson its body for an error
 */
const refusing =
	(vendor, toJson) =>
	(kind, message = REFUSALS[kind].message) => {
		const status = kind === 'noQuota' ? CODES[vendor].empty : REFUSALS[kind].status;
		return { status, json: toJson(CODES[vendor][kind], message, status) };
	};

const AS_AT_THE_SERVICE = { ...WIRE_FAULTS };
for (const name of ['html502', 'html503', 'html504', 'html200', 'empty200', 'empty500']) {
	AS_AT_THE_SERVICE[name] = ANSWER_FAULTS[name];
}

const FAULTS = { ...REFUSALS, ...AS_AT_THE_SERVICE };

const BODY_KEYS = ['json', 'text', 'html', 'socket'];

/** A status without a body is the vendor's own error of that status. */
const refusalOfStatus = (status) =>
	Object.keys(REFUSALS).find((name) => REFUSALS[name].status === status) ?? 'json500';

/**
 * The change of an answer that an entry asks for, `undefined` for none.
 * @param {object} vendor whose words an error is said in
 * @param {string} place 'submit', 'poll', 'content', 'lastFrame' or 'text'
 */
function toChange(vendor, entry, place) {
	if (entry === undefined || entry === 'ok') return undefined;
	const { fault, message, ...rest } = typeof entry === 'string' ? { fault: entry } : entry;
	const hasOwnBody = BODY_KEYS.some((key) => key in rest);
	if (fault && Object.hasOwn(REFUSALS, fault)) return { ...vendor.refuse(fault, message), ...rest };
	if (!fault && !hasOwnBody && rest.status >= 400) {
		return { ...vendor.refuse(refusalOfStatus(rest.status), message), ...rest };
	}
	const change = fault ? AS_AT_THE_SERVICE[fault].change : {};
	return { ...(typeof change === 'function' ? change(place) : change), ...rest };
}

const answers = oneOrMore(answerOf(FAULTS, { ...ANSWER_KEYS, message: text }));

const PLAN_OF_VENDORS = PLAN.pick({
	// Keys that mean here what they mean at the sandbox service.
	...{ outcome: true, failReason: true, video: true, sizeBytes: true },
	...{ calls: true, says: true, blocked: true, finishReason: true },
	...{ noParts: true, thoughts: true, image: true, candidates: true, chunks: true },
	...{ chunkDelayMs: true, errorAfterChunks: true, keepAlive: true, pieceBytes: true },
}).extend({
	...{ queuedPolls: whole(0).optional(), runningPolls: whole(0).optional() },
	...object({ submit: answers, poll: answers, content: answers, lastFrame: answers, text: answers })
		.shape,
});

/** What holds for all vendors until a plan says otherwise; changeable while they run. */
const DEFAULTS = {
	queuedPolls: 1,
	runningPolls: 1,
	latencyMs: 0,
	plan: {},
	/** The sandbox service's listener asks for it; vendors have their own lists of answers. */
	outage: null,
};

const SCHEMA = object({
	...{ queuedPolls: whole(0), runningPolls: whole(0), latencyMs: whole(0), plan: PLAN_OF_VENDORS },
});

const changeDeployment = (settings, changes) => changeSettings(settings, changes, SCHEMA);

module.exports = {
	...{ DEFAULTS, FAULTS, PLAN: PLAN_OF_VENDORS, REFUSALS },
	...{ changeDeployment, refusing, toChange },
};
