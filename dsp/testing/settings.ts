/** Lists every position of the maker's sliders: speed 0.1 to 2 in steps of 0.05, pitch -12 to 12 semitones. */
export const sliderRates: { speed: number; pitch: number; rate: number }[] = Array.from({ length: 39 * 25 }, (_, index) => {
  const speed = (2 + Math.floor(index / 25)) / 20
  const pitch = (index % 25) - 12
  return { speed, pitch, rate: speed * 2 ** (pitch / 12) }
})
