import type { Trouble } from '../service/trouble';
import { isPrivateHost } from './privateHost';

/** Why an address may not be asked for a video; `undefined` where it may. */
export type AddressRule = (url: URL, baseUrl: string) => Promise<Trouble | undefined>;

interface RuleParts {
	lookUp: LookUp;
	/** The person's storage is inside the network. */
	allowPrivate: boolean;
	/** What the address is of, as a message begins. */
	what?: string;
}

/**
 * The IP addresses of a host name: `refused` by n8n's own rules, or none where this n8n cannot tell
 * or the name has none here, which behind a proxy is usual.
 */
export type LookUp = (url: URL) => Promise<string[] | 'refused'>;

const hostOf = (url: URL) => url.hostname.replace(/\.+$/, '');

/** Whether an address is on the host of the base URL, on whatever port. */
export const isOwnHost = (url: URL, baseUrl: string) => hostOf(url) === hostOf(new URL(baseUrl));

/** Whether a link from outside leads into a network that is not everybody's, as far as it tells. */
export const leadsInside = (url: URL, baseUrl: string) =>
	isPrivateHost(url.hostname) && !isOwnHost(url, baseUrl);

export const THE_URL = "The video's URL";

/**
 * The one rule for every address that no credential names: a task's `result_url`, a URL that somebody
 * typed or an expression gave, each redirect. Whoever can write one could have n8n ask machines that
 * only n8n reaches.
 */
export const createAddressRule =
	({ lookUp, allowPrivate, what = THE_URL }: RuleParts): AddressRule =>
	async (url, baseUrl) => {
		if (allowPrivate || isOwnHost(url, baseUrl)) return undefined;
		if (isPrivateHost(url.hostname)) return refusal(url, what);
		const addresses = await lookUp(url);
		return addresses === 'refused' || addresses.some(isPrivateHost)
			? refusal(url, what)
			: undefined;
	};

/** Only the origin is shown: the rest of an address may be a signature. */
const refusal = ({ origin }: URL, what: string): Trouble => ({
	message: `${what} leads to ${origin}, which is inside a private network`,
	description:
		'Nothing was requested there. If your storage is in that network, turn on Allow Private Addresses in the options.',
	retryable: false,
});
