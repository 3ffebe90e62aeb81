import fc from 'fast-check';

import { isPrivateHost } from '../../../../nodes/shared/download/addressRule';

const hostOf = (host: string) => new URL(`http://${host}/`).hostname;
const byte = fc.integer({ min: 0, max: 255 });
/** Four numbers of an IPv4 address. */
type Four = [number, number, number, number];
const any: fc.Arbitrary<Four> = fc.tuple(byte, byte, byte, byte);

/** The first and the last address of each private range. */
const EDGES = [
	...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
	...['127.0.0.0', '127.255.255.255', '169.254.0.0', '169.254.255.255', '172.16.0.0'],
	...['172.31.255.255', '192.0.0.0', '192.0.0.255', '192.0.2.0', '192.0.2.255', '192.168.0.0'],
	...['192.168.255.255', '198.18.0.0', '198.19.255.255', '198.51.100.0', '198.51.100.255'],
	...['203.0.113.0', '203.0.113.255', '224.0.0.0', '255.255.255.255'],
];
const inside = fc.constantFrom(...EDGES.map((host) => host.split('.').map(Number) as Four));

const hex = (value: number) => value.toString(16);
const groups = ([a, b, c, d]: Four) => `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
const whole = ([a, b, c, d]: Four) => ((a * 256 + b) * 256 + c) * 256 + d;

/** Ways to write an IPv4 address that lead to it. */
const NOTATIONS: Record<string, (four: Four) => string> = {
	'four numbers': (four) => four.join('.'),
	'with a dot behind': (four) => `${four.join('.')}.`,
	'one number': (four) => String(whole(four)),
	'one hexadecimal number': (four) => `0x${hex(whole(four))}`,
	'hexadecimal numbers': (four) => four.map((one) => `0x${hex(one)}`).join('.'),
	'octal numbers': (four) => four.map((one) => `0${one.toString(8)}`).join('.'),
	'two numbers': ([a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`,
	'three numbers': ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
	'percent-encoded': (four) => four.join('.').replace(/\d/g, (one) => `%3${one}`),
	NAT64: (four) => `[64:ff9b::${four.join('.')}]`,
};

/** Ways that no public server needs. */
const ALWAYS_PRIVATE: Record<string, (four: Four) => string> = {
	mapped: (four) => `[::ffff:${four.join('.')}]`,
	'mapped, in hexadecimal': (four) => `[0:0:0:0:0:FFFF:${groups(four)}]`,
	compatible: (four) => `[::${four.join('.')}]`,
	translated: (four) => `[::ffff:0:${groups(four)}]`,
	'6to4': (four) => `[2002:${groups(four)}::1]`,
	ISATAP: (four) => `[2606:4700::200:5efe:${groups(four)}]`,
};

describe.each(Object.entries(NOTATIONS))('IPv4 as %s', (_name, write) => {
	it('is as private as it is in four numbers', () => {
		const isAsPrivate = (four: Four) =>
			isPrivateHost(hostOf(write(four))) === isPrivateHost(four.join('.'));
		fc.assert(fc.property(fc.oneof(any, inside), isAsPrivate));
	});
});

it.each(Object.entries(ALWAYS_PRIVATE))('IPv4 that is %s is private', (_name, write) => {
	fc.assert(fc.property(fc.oneof(any, inside), (four) => isPrivateHost(hostOf(write(four)))));
});

it.each([
	...['8.8.8.8', '1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
	...['126.0.0.1', '128.0.0.1', '169.253.1.1', '172.15.255.255', '172.32.0.1', '192.0.1.1'],
	...['192.167.1.1', '192.169.0.1', '198.17.1.1', '198.20.0.1', '203.0.112.1', '223.255.255.255'],
	...['[2606:4700::1]', '[2001:4860:4860::8888]', '[2a00:1450::1]', '[3ffe::1]', '[2001:200::1]'],
	...['example.com', 'localhost.example.com', '10.example.com', 'local.example'],
])('%s is public', (host) => expect(isPrivateHost(hostOf(host))).toBe(false));

it.each([
	...EDGES,
	...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'nas.local', 'minio', 'x.internal'],
	...['x.lan', 'x.home.arpa', 'x.corp', 'x.intranet', '[::]', '[::1]', '[fc00::1]', '[fdff::1]'],
	...['[fe80::1]', '[febf::1]', '[fec0::1]', '[ff02::1]', '[100::1]', '[64:ff9b:1::1]'],
	'[5f00::1]',
	...['[2001::1]', '[2001:1ff::1]', '[2001:db8::1]', '[3fff:fff::1]', '[4000::1]', '[1fff::1]'],
])('%s is private', (host) => expect(isPrivateHost(hostOf(host))).toBe(true));

it.each(['fe80::1%eth0', '::1', '127.0.0.1', 'fec0::1', '1:2:3', ':::', '::ffff:10.0.0.1'])(
	'%s, as a resolver gives it, is private',
	(address) => expect(isPrivateHost(address)).toBe(true),
);
