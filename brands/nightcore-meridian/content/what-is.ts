/** The HTML of the page that explains the genre nightcore, served at the path of the setting `WHAT_IS_PATH`. */
export const whatIsPageHtml = `
<p>Nightcore is a song played faster than it was recorded, with its pitch carried up along with the speed. Nothing is cut and nothing is
re-sung. You take a track you already like, push it forward by 20 to 35 percent, and a mid-tempo chorus turns into something that runs.
Most nightcore ends up at 140 to 160 BPM, which is about as fast as a song can go while people still sing along.</p>

<h2>What it sounds like</h2>
<p>Two things happen at once, because speed and pitch are tied together like the needle and the platter of a turntable.</p>
<ul>
<li><strong>The tempo jumps.</strong> A song at 120 BPM played 25 percent faster lands on 150. Drums that used to walk now sprint.</li>
<li><strong>The voice climbs.</strong> The same 25 percent lifts everything by almost four semitones. Singers sound younger, lighter and closer.</li>
<li><strong>The song gets shorter.</strong> Four minutes become three minutes and twelve seconds, so the chorus always comes back soon.</li>
</ul>
<p>That mix of rush and sweetness is the whole trick. Sad lyrics keep their sadness and lose their weight; happy ones become impossible to
sit still through.</p>

<h2>Where it comes from</h2>
<p>The name is older than the genre. In the early 2000s two Norwegian students, recording for a school project, called themselves Nightcore
and sped up trance and eurodance tracks until the vocals sparkled. Their few albums travelled by file sharing. A few years later listeners
began to upload them to video sites, others copied the method with songs of their own, and "a Nightcore song" quietly became "a nightcore".
The group had named a sound without planning to.</p>
<p>From there it spread the way hobbies do. Anyone with a free audio editor could try it in an evening, so thousands did. The picture
beside the music became part of it too: an illustrated character, a city at night, a lyric across the sky.</p>

<h2>From dance tracks to everything</h2>
<p>The first wave was trance, hands up and happy hardcore, because those were already nearly fast enough. Then came pop, rock, rap,
musicals, film scores and whole discographies of the radio. Today almost any song has a nightcore somewhere, and short videos have carried its
plainer cousin, the sped-up version, to people who have never heard the word. Artists now put out official sped-up editions of their own
singles. The slow side has grown just as large: slowed and reverb is the same idea with the slider pulled the other way.</p>

<h2>Nightcore or sped up?</h2>
<p>The method is the same, the taste is not. A sped-up edit usually nudges a song that is popular this week by 10 to 20 percent. Nightcore
goes further, aims for that 140 to 160 BPM window, and chooses songs for the way they will sound once they get there: big melodies, clear
voices, chords that lift. A good nightcore sounds as though the song had been written at that speed.</p>

<h2>How to make one</h2>
<ol>
<li><strong>Choose a song with a strong tune.</strong> A clear vocal and a chorus you can hum survive the change best. Very busy mixes turn to glitter.</li>
<li><strong>Find its tempo.</strong> Divide 150 by the BPM. A song at 118 BPM wants about 1.27 times its speed.</li>
<li><strong>Move speed and pitch together.</strong> That is what makes it nightcore rather than a time-stretch. Start at 1.25 and trust your ears from there.</li>
<li><strong>Listen for the voice.</strong> When consonants start to chirp you have gone too far. Come back by two or three percent.</li>
<li><strong>Mind the top.</strong> Everything bright just became brighter. A touch less treble or a little more bass puts the floor back in.</li>
<li><strong>Export without clipping.</strong> Loud masters can go over when they are resampled, so leave them some headroom.</li>
</ol>
<p>You need no studio for any of this. Our <a href="/account/maker">maker</a> does it in the browser, finds the BPM for you and never
uploads your file. Subscribers can use it as often as they like.</p>

<h2>Is it allowed?</h2>
<p>Speeding up a song does not make it yours. The recording and the writing still belong to the people who made them, and where a
video may stand and who earns from it is decided by them and by the platform. Plenty of music is released for exactly this kind of use,
and much of what you hear on this site comes from labels that say so. Credit the artist, link the original, and ask when in doubt.
Our <a href="/faq">FAQ</a> goes further into copyright and monetization.</p>

<h2>Where to start listening</h2>
<p>Press <a href="/go/random">Random song</a> and see what happens. If you would rather choose, the <a href="/playlists">playlists</a> are sorted by
mood and by genre. And if you already make nightcore yourself, have a look at the <a href="/network">network</a>: from 100 subscribers on
you can join as a member, and below that the Academy helps you get there.</p>
`.trim()
