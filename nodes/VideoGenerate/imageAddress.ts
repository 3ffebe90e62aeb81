import { placeOf, toHttpUrl } from '../shared/lib/url';

/** A link that people share: it shows a page with the file, which no service can render from. */
interface Share {
	/** Matches its host and path. */
	at: RegExp;
	/** Matches what makes an address of the file out of it. */
	unless?: RegExp;
	name: string;
	advice: string;
}

const byNode = (node: string) =>
	`Load the file with n8n's ${node} node (Download), and choose Binary Field.`;
const BY_ADDRESS =
	"Open the link, copy the image's own address there, and enter that, or choose Binary Field.";

// prettier-ignore
const SHARES: readonly Share[] = [
	{ at: /^(drive|docs)\.google\.com\/(u\/\d+\/|a\/[^/]+\/)?(file|open|drive)\b/, name: 'Google Drive', advice: byNode('Google Drive') }, // openfoodfacts-server PR 14351
	{ at: /^dropbox\.com\//, unless: /[?&](dl|raw)=1\b/, name: 'Dropbox', advice: 'Enter it with dl=1 in place of dl=0. If it has none, add ?dl=1 at its end.' }, // AboveVTT 222, TimelineJS3 43
	{ at: /^1drv\.ms\/|^onedrive\.live\.com\/(?!download)/, name: 'OneDrive', advice: byNode('Microsoft OneDrive') }, // ShareX 5386
	{ at: /^[\w-]+\.sharepoint\.com\/:\w:\//, unless: /[?&]download=1\b/, name: 'SharePoint', advice: byNode('Microsoft SharePoint') }, // sp-dev-docs 10492
	{ at: /^photos\.(app\.goo\.gl|google\.com)\//, name: 'Google Photos', advice: BY_ADDRESS }, // ShareX 6195
	{ at: /^github\.com\/[^/]+\/[^/]+\/blob\//, name: 'GitHub', advice: 'Enter the address that its button Raw opens.' }, // pulsar package-frontend 101
	{ at: /^ibb\.co\//, name: 'ImgBB', advice: BY_ADDRESS }, // metriq-app 731
];

/** Returns the kind of share that an address leads to; `undefined` if it may be that of a file. */
export function findShare(address: string): Share | undefined {
	const url = toHttpUrl(address);
	if (!url) return undefined;
	const place = placeOf(url);
	return SHARES.find(({ at, unless }) => at.test(place) && unless?.test(url.search) !== true);
}
