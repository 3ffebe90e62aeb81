import type { Connection } from '../services/connection';
import { type AddressReason, addressReason } from './fileFailed';

/**
 * Returns why n8n must not request an address; `undefined` if it may. Checks every address that no
 * credential names, and each redirect: whoever writes one could make n8n ask machines that only n8n
 * reaches. Names are not looked up: n8n has a switch of its own for that (SECURITY.md), and a proxy such as
 * Clash answers public names with private addresses.
 *
 * @param what names the address at the beginning of a message
 */
export function checkAddress(
	url: URL,
	{ allowPrivateAddresses, baseUrl }: Connection,
	what: string,
): AddressReason | undefined {
	if (allowPrivateAddresses || !leadsInside(url, baseUrl)) return undefined;
	// Only the origin is shown: the rest of an address may be a signature.
	return addressReason(`${what} leads to ${url.origin}, which is inside a private network`, {
		description:
			'Nothing was requested there. If your storage is in that network, turn on Allow Private Addresses in the credential.',
	});
}

/** Returns whether a host is private, as far as its name or number tells, and not the base URL's. */
export const leadsInside = (url: URL, baseUrl: string): boolean =>
	isPrivateHost(url.hostname) && hostOf(url) !== hostOf(new URL(baseUrl));

const hostOf = ({ hostname }: URL) => hostname.replace(/\.+$/, '');

/**
 * Names without a dot, or with an ending that no public name has (RFC 6761, 6762 and 8375, ICANN, Kubernetes,
 * Docker's `container.network_default`).
 */
const PRIVATE_NAME =
	/^[^.]*$|\.(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|svc|pod|cluster|default|test|invalid)$|_[^.]*$/;
/**
 * Of the machine itself, of private networks, of the link, of protocols, and of many (RFC 1122, 1918, 6598, 3927,
 * 6890 and 5771); 168.63.129.16 is Azure's own platform, which tells secrets of a machine.
 */
const PRIVATE_IPV4 =
	/^(0|10|127|192\.168|192\.0\.0|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254|168\.63\.129(?=\.16$)|22[4-9]|2[34]\d|25[0-5])(\.\d+)+$/;
/** All others are local, or hold an IPv4 address, as do those of 6to4 and Teredo (RFC 3056 and 4380). */
const PUBLIC_IPV6 = /^\[(?!2002:|2001:0?:)[23][\da-f]{3}:/;

/** @param hostname of a `URL`, which has brought all ways to write an IPv4 address into one */
export function isPrivateHost(hostname: string): boolean {
	const name = hostname.replace(/\.+$/, '');
	if (name.startsWith('[')) return !PUBLIC_IPV6.test(name);
	return PRIVATE_NAME.test(name) || PRIVATE_IPV4.test(name);
}
