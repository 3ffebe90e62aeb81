import { isPrivateHost } from '../../../../nodes/shared/lib/privateHost';

const hostOf = (host: string) => new URL(`http://${host}/`).hostname;

it.each([
	...['8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.0.0.1'],
	...['128.0.0.1', '169.253.1.1', '172.15.255.255', '172.32.0.1', '192.167.1.1', '198.18.0.1'],
	...[
		'192.0.1.1',
		'168.63.129.17',
		'svc.example.com',
		'my_files.example.com',
		'223.0.0.1',
		'[2001:1::1]',
		'[2003::1]',
	],
	...['[2606:4700::1]', '[2a00:1450::1]', 'example.com', 'localhost.example.com', '10.example.com'],
])('%s is public', (host) => expect(isPrivateHost(hostOf(host))).toBe(false));

it.each([
	...['0.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '127.0.0.1', '127.0.0.1.'],
	...['169.254.169.254', '172.16.0.0', '172.31.255.255', '192.168.1.1'],
	// Other ways to write an address.
	...['2130706433', '0x7f.1', '0177.0.0.1', '[::1]', '[::ffff:10.0.0.1]', '[64:ff9b::10.0.0.1]'],
	...['localhost', 'LOCALHOST', 'a.localhost', 'nas.local', 'minio', 'x.internal', 'x.home.arpa'],
	// Of Kubernetes and Azure, and those that hold an IPv4 address.
	...['kubernetes.default', 'db.my_default', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
	...['api.default.svc', '192.0.0.192', '168.63.129.16', '[2002:a00:1::]'],
	...['[2001::1]', '[2001:0:a00:1::1]'],
	...['[::]', '[fc00::1]', '[fe80::1]', '[fd00:ec2::254]'],
])('%s is private', (host) => expect(isPrivateHost(hostOf(host))).toBe(true));
