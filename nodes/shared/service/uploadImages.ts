import { mapTexts, parseJson, toObject, toText } from '../lib/json';
import type { Connection, ServiceRequest } from './connection';
import { DATA_URI, toForm } from './form';
import { isNoAnswer, type NoAnswer, RECORD_LIMITS, type ServiceAnswer } from './http';
import type { ModelRequest } from './namedServices';
import { isRefused, readReason } from './reason';

/**
 * Resolves to a request with the addresses of its files, if the service takes images by address alone. An
 * upload is free (kie keeps the file for a day). If one fails, nothing is submitted.
 */
export async function uploadImages(
	{ send, service }: Pick<Connection, 'send' | 'service'>,
	request: ModelRequest,
	limits: Pick<ServiceRequest, 'timeoutMs' | 'signal'>,
): Promise<{ request: ModelRequest } | { refusal: ServiceAnswer | NoAnswer }> {
	if (!service?.upload) return { request };
	const files = new Set<string>();
	mapTexts(request, (text) => {
		if (DATA_URI.test(text)) files.add(text);
		return text;
	});
	const urls = new Map<string, string>();
	for (const file of files) {
		// kie overwrites a file of the same name, with delays of its cache.
		const fileName = `${crypto.randomUUID()}.${/^data:image\/(\w+)/.exec(file)?.[1] ?? 'png'}`;
		const fields = { file, uploadPath: 'images', fileName };
		const body = await toForm(fields, loadNothing, ['file']);
		const answer = await send({ ...service.upload, body, ...RECORD_LIMITS, ...limits });
		const url = readUrl(answer);
		if (url === undefined) return { refusal: toRefusal(answer) };
		urls.set(file, url);
	}
	return { request: mapTexts(request, (text) => urls.get(text) ?? text) as ModelRequest };
}

const loadNothing = async () => await Promise.reject(new Error('An uploaded image has no address'));

function readUrl(answer: ServiceAnswer | NoAnswer): string | undefined {
	if (isNoAnswer(answer) || answer.status >= 300) return undefined;
	return toText(toObject(toObject(parseJson(answer.body)).data).downloadUrl);
}

/** Returns what a submit may be refused with: it was not sent, so nothing is unclear. */
function toRefusal(answer: ServiceAnswer | NoAnswer): ServiceAnswer | NoAnswer {
	if (!isNoAnswer(answer) && isRefused('submit', answer)) return answer;
	const { code = 'ERR_UPLOAD', message, description } = readReason('list', answer);
	const words = [message, description].filter(Boolean).join(': ');
	return { network: 'notSent', code, message: `The image could not be uploaded: ${words}` };
}
