import type { Run } from '../item/run';
import type { Connection } from '../service/connection';
import { type AddressFailure, addressFailure } from '../item/failure';

/**
 * Resolves to why n8n must not request an address; `undefined` if it may. Checks every address that no
 * credential names, and each redirect: whoever writes one could make n8n ask machines that only n8n
 * reaches.
 *
 * @param what names the address at the beginning of a message
 */
export async function checkAddress(
	url: URL,
	{ allowPrivateAddresses, baseUrl }: Connection,
	what: string,
	run: Run,
): Promise<AddressFailure | undefined> {
	if (allowPrivateAddresses || isOwnHost(url, baseUrl)) return undefined;
	if (!isPrivateHost(url.hostname) && !(await resolvesInside(url, run))) return undefined;
	// Only the origin is shown: the rest of an address may be a signature.
	return addressFailure(`${what} leads to ${url.origin}, which is inside a private network`, {
		description:
			'Nothing was requested there. If your storage is in that network, turn on Allow Private Addresses in the credential.',
	});
}

/** Returns whether a host is private, as far as its name or number tells, and not the base URL's. */
export const leadsInside = (url: URL, baseUrl: string) =>
	isPrivateHost(url.hostname) && !isOwnHost(url, baseUrl);

const hostOf = (url: URL) => url.hostname.replace(/\.+$/, '');

/** Returns whether an address is on the host of the base URL, on any port. */
const isOwnHost = (url: URL, baseUrl: string) => hostOf(url) === hostOf(new URL(baseUrl));

/**
 * Resolves to whether a host name stands for a private address, or one that n8n's own rules
 * (N8N_SSRF_...) refuse. Versions of n8n before 2.41 cannot tell, so this resolves to `false`.
 */
async function resolvesInside(url: URL, { context }: Run): Promise<boolean> {
	const helpers: Partial<Run['context']['helpers']> = context.helpers;
	try {
		const filter = helpers.getSecureEgressFilter?.('enforced');
		if (!filter) return false;
		const { ok } = await filter.validateUrl(url);
		if (!ok) return true;
		const found = await new Promise<unknown>((resolve) => {
			const onResult = (_error: unknown, addresses: unknown) => resolve(addresses);
			filter.createSecureLookup()(url.hostname, { all: true }, onResult);
		});
		return (
			Array.isArray(found) &&
			found.some(({ address }: { address: string }) => isPrivateHost(address))
		);
	} catch {
		// n8n cannot resolve the name. Behind a proxy, perhaps only the proxy can.
		return false;
	}
}

/**
 * Returns whether a host is outside the public network, as far as its name or number tells (IANA's
 * registries of special-purpose addresses).
 *
 * @param host the `hostname` of a `URL`, or a bare IP address
 */
export function isPrivateHost(host: string): boolean {
	const name = host
		.toLowerCase()
		.replace(/^\[|\]$/g, '')
		.replace(/\.+$/, '');
	if (name.includes(':')) return isPrivateIpv6(name);
	return IPV4.test(name) ? isPrivateIpv4(toNumber(name)) : PRIVATE_NAME.test(name);
}

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;
/** Names without a dot, or with an ending that no public name has (RFC 6761, 6762 and 8375, ICANN). */
const PRIVATE_NAME =
	/^[^.]*$|\.(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/;

const PRIVATE_IPV4 = [
	...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
	...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16'],
	...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
].map((range) => {
	const [base, bits] = range.split('/');
	return { base: toNumber(base), size: 2 ** (32 - Number(bits)) };
});

function toNumber(ipv4: string): number {
	return ipv4.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

const isPrivateIpv4 = (address: number): boolean =>
	PRIVATE_IPV4.some(({ base, size }) => address >= base && address < base + size);

/** Matches an IPv4 address in its NAT64 form (RFC 6052), by which IPv6-only networks reach it. */
const NAT64 = /^\[64:ff9b::(?:([\da-f]+):)?([\da-f]+)\]$/;

/** Matches an address that ends in the IPv4 address of a host (ISATAP, RFC 5214). */
const ISATAP = /:5efe:[^:]*:[^:]*\]$/;

/** Public addresses are in 2000::/3; all other ways to hold an IPv4 address count as private. */
function isPrivateIpv6(text: string): boolean {
	// A zone (%eth0) is no part of a URL, and always of a private address.
	if (!URL.canParse(`http://[${text}]`)) return true;
	const { hostname } = new URL(`http://[${text}]`);
	const parse = (group = '') => Number.parseInt(group || '0', 16);
	const nat64 = NAT64.exec(hostname);
	if (nat64) return isPrivateIpv4(parse(nat64[1]) * 65_536 + parse(nat64[2]));
	const [first, second] = hostname.slice(1, -1).split(':').map(parse);
	// Set aside: 2001::/23 for protocols, 2001:db8::/32 and 3fff::/20 for documentation, 2002::/16
	// for IPv4 addresses (6to4).
	if (first === 0x2001) return second < 0x200 || second === 0xdb8;
	if (first === 0x3fff) return second < 0x1000;
	return first >> 13 !== 1 || first === 0x2002 || ISATAP.test(hostname);
}
