import { loadPackage, type LoadedPackage } from './support/loader';
import { findNodes } from './support/nodesPanel';

let nodes: LoadedPackage['nodes'];
beforeAll(async () => {
	({ nodes } = await loadPackage());
});
const found = (words: string) => findNodes(words, nodes);

it.each([
	...['video', 'text to video', 'veo', 'storyboard', 'music'].map((words) => [
		words,
		'videoGenerate',
	]),
	...['video status', 'poll'].map((words) => [words, 'videoStatus']),
	...['download video', 'mp4'].map((words) => [words, 'videoDownload']),
	...['merge videos', 'ffmpeg'].map((words) => [words, 'videoJoin']),
	...['gemini', 'text to speech'].map((words) => [words, 'generateContent']),
])('"%s" finds %s first', (words, name) => {
	expect(found(words)[0]).toBe(name);
});
