import { isObject, parseJson } from '../lib/json';
import { type Failure, readFailure } from '../service/failure';
import { isNoAnswer, type NoAnswer, type ServiceAnswer } from '../service/http';

/** Returns why there is no file; unless `facts` say so, another try would not help. */
export const fileFailure = (message: string, facts: Partial<Failure> = {}): Failure => {
	return { during: 'file', message, passes: false, ...facts };
};

/** A 502 with JSON is the gateway's, about the vendor. A proxy's 502 is a page. */
const NO_FILE = {
	message: 'The service gets no file from the vendor of the model (HTTP 502)',
	noFile: true,
};

/** Returns why an answer is no video. Another host's words are not shown: perhaps only n8n reaches it. */
export function readFileFailure(
	answer: ServiceAnswer | NoAnswer,
	{ withKey, what, origin }: { withKey: boolean; what: string; origin: string },
): Failure {
	const failure = readFailure('file', answer);
	const { httpCode, code, passes, retryAfterMs } = failure;
	if (withKey) {
		const isNoFile = httpCode === 502 && !isNoAnswer(answer) && isObject(parseJson(answer.body));
		return { ...failure, ...(isNoFile && NO_FILE) };
	}
	const isDenied = httpCode === 401 || httpCode === 403;
	const end =
		httpCode === undefined
			? `did not answer (${code})`
			: httpCode < 300
				? 'sent a text instead of a file'
				: `${isDenied ? 'denies access to it' : 'does not give it'} (HTTP ${httpCode})`;
	const message = `${what} leads to ${origin}, which ${end}`;
	const description = isDenied
		? `The API key was not sent: it only goes to the Base URL, and no further once a redirect leads elsewhere. If ${origin} is the service, enter it as the Base URL.`
		: undefined;
	const cause = httpCode === undefined ? { code } : { httpCode, retryAfterMs };
	return fileFailure(message, { description, passes, ...cause });
}
