import { box, fullBox, u16, u32 } from '../../shared/mp4/boxes';
import { AAC } from './codec';

/** The frames of a file of sound, as they stand in an MP4. */
export interface SoundSource {
	/** The sample entry. */
	entry: Buffer;
	/** Units per second of all its times. */
	timescale: number;
	/** Where the sound begins: before it is what decoders need, and what an encoder has put there. */
	from: number;
	/** How many frames its index names, heard or not: `frames` keeps their places. */
	indexed?: number;
	/** Reads the file anew each time. */
	frames: () => AsyncGenerator<{ bytes: Uint8Array; duration: number }, void>;
}

/** Makes a sample entry of sound; QuickTime has other fields. */
export const soundBox = (
	type: string,
	rate: number,
	channels: number,
	config: Buffer,
	bits = 16,
): Buffer =>
	box(type, u16(0, 0, 0, 1, 0, 0, 0, 0, channels, bits, 0, 0, rate > 65_535 ? 0 : rate, 0), config);

interface Coding {
	rate: number;
	channels: number;
	/** What the bytes are (ISO/IEC 14496-1, section 7.2.6.6); AAC if absent. */
	objectType?: number;
	/** The configuration for the decoder of AAC (AudioSpecificConfig). */
	config?: Buffer;
}

/** Makes the sample entry of AAC or MP3. */
export function soundEntry({ rate, channels, objectType = AAC, config }: Coding): Buffer {
	const descriptor = (tag: number, ...parts: Buffer[]) => {
		const body = Buffer.concat(parts);
		return Buffer.concat([Buffer.from([tag, body.length]), body]);
	};
	const SOUND_STREAM = [0x15, 0, 0, 0];
	const coding = Buffer.from([objectType, ...SOUND_STREAM]);
	const decoder = descriptor(4, coding, u32(0, 0), ...(config ? [descriptor(5, config)] : []));
	const esds = descriptor(3, u16(0), Buffer.from([0]), decoder, descriptor(6, Buffer.from([2])));
	return soundBox('mp4a', rate, channels, fullBox('esds', 0, esds));
}
