const SEGMENT_ID = 0x18538067

/**
 * Whether a Matroska or WebM file ends before the end of its segment. A finished file states the size of the segment (RFC 8794, 6; RFC
 * 9559, 5.1).
 */
export async function isMatroskaTruncated(blob: Blob): Promise<boolean> {
  const headView = new DataView(await blob.slice(0, 256).arrayBuffer())
  const HEADER_ID_BYTES = 4
  const headerSize = readSize(headView, HEADER_ID_BYTES)
  const segmentOffset = headerSize === undefined ? Number.POSITIVE_INFINITY : HEADER_ID_BYTES + headerSize.sizeBytes + headerSize.value
  if (segmentOffset + 4 > headView.byteLength || headView.getUint32(segmentOffset) !== SEGMENT_ID) return false
  const segment = readSize(headView, segmentOffset + 4)
  return segment !== undefined && segmentOffset + 4 + segment.sizeBytes + segment.value > blob.size
}

/** Reads a size of variable length, whose first byte has as many leading zeros as bytes follow. Undefined if all bits are 1: an unknown size. */
function readSize(view: DataView, startByte: number) {
  if (startByte >= view.byteLength) return undefined
  const firstByte = view.getUint8(startByte)
  const sizeFieldBytes = Math.clz32(firstByte) - 23
  if (sizeFieldBytes > 8 || startByte + sizeFieldBytes > view.byteLength) return undefined
  let value = firstByte & (2 ** (8 - sizeFieldBytes) - 1)
  for (let offset = 1; offset < sizeFieldBytes; offset++) value = value * 256 + view.getUint8(startByte + offset)
  return value >= 2 ** (7 * sizeFieldBytes) - 1 ? undefined : { sizeBytes: sizeFieldBytes, value }
}
