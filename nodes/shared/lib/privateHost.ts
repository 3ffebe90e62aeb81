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
