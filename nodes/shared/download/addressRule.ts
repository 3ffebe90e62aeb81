import { leadsInside } from '../lib/privateHost';
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
