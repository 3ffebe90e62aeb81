import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson, toText } from '../lib/json';
import { GAVE_UP_WAITING, meansNo, meansPassing, meansSuccess } from './codes';
import type { ServiceAnswer } from './connection';
import { isPage } from './quote';
import { tellsTask } from './taskId';

/** The native text protocol has errors of its own, which no video endpoint sends. */
export type Endpoint = 'video' | 'text';

/** Redirects are not followed. Behind other 3xx, such as 303, lies the result of work that was done. */
const REDIRECTS = new Set([301, 302, 307, 308]);

/**
 * Whether an answer that did not bring what was asked for says no before any work was done. What
 * does not say so plainly may hide work that is paid for: a proxy's page most of all, whatever its
 * status. docs/retries.md holds every case.
 */
export function isRefusal({ status, body }: ServiceAnswer, endpoint: Endpoint): boolean {
	const parsed = parseJson(body);
	const said = isObject(parsed) ? parsed : {};
	const error = isObject(said.error) ? said.error : {};
	// The gateway fell over, nobody knows how far it had come.
	if (error.type === 'new_api_panic') return false;
	// There is a task, be it an earlier one: a person has to look at it.
	if (endpoint === 'video' && tellsTask(said)) return false;
	if (status < 300) return isNo(said, error) || (endpoint === 'text' && isPage(body));
	if (isBusinessError(said)) return true;
	if (status < 400) return REDIRECTS.has(status);
	if (status < 500) return !GAVE_UP_WAITING.has(status);
	return status === 503 && isBeforeWork(error, endpoint);
}

/** A 200 that says no, and has nothing else to say. */
function isNo({ code, data }: IDataObject, error: IDataObject): boolean {
	const isEmpty = !isObject(data) || Object.keys(data).length === 0;
	return meansNo(error.code) || (meansNo(code) && isEmpty);
}

/**
 * The gateway's own shape for what goes wrong with a submit. Whatever its status: when it answers
 * so, it has given the money back and keeps no task.
 */
const isBusinessError = ({ code, message, data }: IDataObject): boolean =>
	toText(code) !== undefined && !meansSuccess(code) && typeof message === 'string' && data === null;

/** 503 in the shape for keys and channels, which are looked at first; or an overloaded vendor. */
function isBeforeWork({ code, type }: IDataObject, endpoint: Endpoint): boolean {
	const isGateways = typeof type === 'string' && /_api_error$/.test(type);
	if (isGateways || code === 'model_not_found') return true;
	const isWord = typeof code === 'string' && /[a-z]/i.test(code);
	const isCode = isWord || typeof code === 'number' || typeof code === 'string';
	return isCode && (isWord || endpoint === 'text') && meansPassing(String(code));
}
