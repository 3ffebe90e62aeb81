import { FAMILIES } from '../../nodes/shared/family/families';
import { loadPackage, type LoadedPackage } from './support/loader';
import { findNodes } from './support/nodesPanel';

let nodes: LoadedPackage['nodes'];
beforeAll(async () => {
	({ nodes } = await loadPackage());
});
const found = (words: string) => findNodes(words, nodes);

it.each([
	...['video', 'video generate', 'generate video', 'ai video', 'text to video', 'image to video'],
	...[...FAMILIES.map((label) => label.toLowerCase().split(' ')[0]), 'storyboard', 'clip'],
])('"%s" finds Video Generate first', (words) => {
	expect(found(words)[0]).toBe('videoGenerate');
});

it.each([
	['video status', 'videoStatus'],
	['check video', 'videoStatus'],
	['poll', 'videoStatus'],
	['video download', 'videoDownload'],
	['download video', 'videoDownload'],
	['mp4', 'videoDownload'],
	...['join video', 'merge videos', 'concat', 'ffmpeg', 'montage'].map((words) => [
		words,
		'videoJoin',
	]),
	['generate text', 'generateContent'],
	['gemini', 'generateContent'],
	...['captions', 'subtitles', 'music'].map((words) => [words, 'videoGenerate']),
	...['text to speech', 'voice over', 'narration'].map((words) => [words, 'generateContent']),
])('"%s" finds %s first', (words, name) => {
	expect(found(words)[0]).toBe(name);
});
