import { toMediaType } from '../../../nodes/GenerateContent/mediaType';

it.each([
	['https://www.youtube.com/watch?v=9hE5-98ZeCg', 'video/*'],
	['https://youtu.be/9hE5-98ZeCg', 'video/*'],
	['https://m.youtube.com/shorts/a.b', 'video/*'],
	['https://youtube.com.example.org/a.png', 'image/png'],
	['https://generativelanguage.googleapis.com/v1beta/files/abc-123', ''],
	['https://a.example/files/a.PDF?download=b.png#c.mp3', 'application/pdf'],
	['gs://bucket/folder/a.b.jpeg', 'image/jpeg'],
	['https://a.example/a', undefined],
	['https://a.example/a.exe', undefined],
	['https://a.example/a.png/', undefined],
	['https://a.example/.constructor', undefined],
])('the type of %s is %j', (address, type) => {
	expect(toMediaType(new URL(address))).toBe(type);
});
