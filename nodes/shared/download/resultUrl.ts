import { toHttpUrl } from '../service/baseUrl';
import type { Connection } from '../service/connection';

/** From how far away a host can be reached: the larger, the fewer machines can mean it. */
const ANYWHERE = 0;
const OWN_NETWORK = 1;
const SAME_MACHINE = 2;

/** Host names as `URL` spells them: small letters, IPv4 in four numbers, IPv6 in brackets. */
const SAME_MACHINE_NAMES = /^(localhost|.*\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;
/** RFC 1918, link-local, unique local, names without a dot and those of local networks. */
const OWN_NETWORK_NAMES =
	/^(10\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|169\.254\.[\d.]+|\[f[cd].*\]|\[fe[89ab].*\]|[^.[\]]+|.*\.(local|internal|lan|home\.arpa))$/;

/** IPv4 inside IPv6, such as `[::ffff:7f00:1]`, the way `URL` writes it. */
const MAPPED = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/;

function nearnessOf(hostname: string): number {
	const host = unmap(hostname).replace(/\.$/, '');
	if (SAME_MACHINE_NAMES.test(host)) return SAME_MACHINE;
	return OWN_NETWORK_NAMES.test(host) ? OWN_NETWORK : ANYWHERE;
}

function unmap(hostname: string): string {
	const [, high, low] = MAPPED.exec(hostname) ?? [];
	if (high === undefined) return hostname;
	const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
	return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

/**
 * A task's `result_url`, where it may lead to the video though `tried` did not. Operators leave
 * their settings' default in it (`http://localhost:3000/...`): that is the service's own machine
 * and means another one here, unless the service is reached under such a name itself.
 */
export function usableResultUrl(
	result_url: string | undefined,
	{ baseUrl }: Pick<Connection, 'baseUrl'>,
	tried: string,
): string | undefined {
	const url = toHttpUrl(result_url);
	if (!url || url.href === toHttpUrl(tried)?.href) return undefined;
	const isForeignNetwork = nearnessOf(url.hostname) > nearnessOf(new URL(baseUrl).hostname);
	return isForeignNetwork ? undefined : url.href;
}
