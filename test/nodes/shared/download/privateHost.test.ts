import fc from 'fast-check';

import { isPrivateHost } from '../../../../nodes/shared/download/addressRule';

const hostOf = (host: string) => new URL(`http://${host}/`).hostname;
const byte = fc.integer({ min: 0, max: 255 });
/** Four numbers of an IPv4 address. */
type Four = [number, number, number, number];
const any: fc.Arbitrary<Four> = fc.tuple(byte, byte, byte, byte);

const inside: fc.Arbitrary<Four> = fc.oneof(
	...[0, 10, 127, ...Array.from({ length: 32 }, (_, i) => 224 + i)].map((first) =>
		fc.tuple(fc.constant(first), byte, byte, byte),
	),
	fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
	fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
	fc.tuple(fc.constant(198), fc.integer({ min: 18, max: 19 }), byte, byte),
	...[
		[169, 254],
		[192, 168],
	].map(([a, b]) => fc.tuple(fc.constant(a), fc.constant(b), byte, byte)),
	...[
		[192, 0, 0],
		[192, 0, 2],
		[198, 51, 100],
		[203, 0, 113],
	].map(([a, b, c]) => fc.tuple(fc.constant(a), fc.constant(b), fc.constant(c), byte)),
);

const hex = (value: number) => value.toString(16);
const groups = ([a, b, c, d]: Four) => `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
const whole = ([a, b, c, d]: Four) => ((a * 256 + b) * 256 + c) * 256 + d;

/** Every way to write an IPv4 address that leads to it. */
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
	mapped: (four) => `[::ffff:${four.join('.')}]`,
	'mapped, in hexadecimal': (four) => `[0:0:0:0:0:FFFF:${groups(four)}]`,
	compatible: (four) => `[::${four.join('.')}]`,
	translated: (four) => `[::ffff:0:${groups(four)}]`,
	NAT64: (four) => `[64:ff9b::${four.join('.')}]`,
	'6to4': (four) => `[2002:${groups(four)}::1]`,
	ISATAP: (four) => `[2606:4700::200:5efe:${groups(four)}]`,
};

describe.each(Object.entries(NOTATIONS))('IPv4 as %s', (_name, write) => {
	it('is as private as it is in four numbers', () => {
		fc.assert(
			fc.property(any, (four) => {
				expect(isPrivateHost(hostOf(write(four)))).toBe(isPrivateHost(four.join('.')));
			}),
		);
	});

	it('is private in every private range', () => {
		fc.assert(fc.property(inside, (four) => isPrivateHost(hostOf(write(four)))));
	});
});

it.each([
	...[
		'8.8.8.8',
		'1.1.1.1',
		'9.255.255.255',
		'11.0.0.0',
		'100.63.255.255',
		'100.128.0.0',
		'126.0.0.1',
	],
	...['128.0.0.1', '169.253.1.1', '172.15.255.255', '172.32.0.1', '192.0.1.1', '192.167.1.1'],
	...['192.169.0.1', '198.17.1.1', '198.20.0.1', '203.0.112.1', '223.255.255.255'],
	...['[2606:4700::1]', '[2001:4860:4860::8888]', '[2a00:1450::1]', '[3ffe::1]', '[2001:200::1]'],
	...[
		'example.com',
		'localhost.example.com',
		'10.example.com',
		'local.example',
		'xn--bcher-kva.example',
	],
])('%s is public', (host) => expect(isPrivateHost(hostOf(host))).toBe(false));

it.each([
	...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'nas.local', 'minio', 'x.internal'],
	...['x.lan', 'x.home.arpa', 'x.corp', 'x.intranet', '[::]', '[::1]', '[fc00::1]', '[fdff::1]'],
	...[
		'[fe80::1]',
		'[febf::1]',
		'[fec0::1]',
		'[ff02::1]',
		'[100::1]',
		'[64:ff9b:1::1]',
		'[5f00::1]',
	],
	...['[2001::1]', '[2001:1ff::1]', '[2001:db8::1]', '[3fff:fff::1]', '[4000::1]', '[1fff::1]'],
])('%s is private', (host) => expect(isPrivateHost(hostOf(host))).toBe(true));

it.each(['fe80::1%eth0', '::1', '127.0.0.1', 'fec0::1', '1:2:3', ':::', '::ffff:10.0.0.1'])(
	'%s, as a resolver gives it, is private',
	(address) => expect(isPrivateHost(address)).toBe(true),
);
