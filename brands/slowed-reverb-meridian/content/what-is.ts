/** The HTML of the page that explains the genre slowed and reverb, served at the path of the setting `WHAT_IS_PATH`. */
export const whatIsPageHtml = `
<p>Slowed and reverb is a song played more slowly than it was recorded, lower in pitch for it, and then placed in a large echoing room.
That is really all. Nobody sings anything again and nothing is added to the tune. And yet a song you have heard a hundred times can turn out
to have a whole evening inside it.</p>

<h2>What it sounds like</h2>
<p>When a recording slows down, everything in it slows together, the way it does when you rest a finger on the edge of a record.</p>
<ul>
<li><strong>The beat relaxes.</strong> At 85 percent of its speed, a song at 100 BPM settles at 85. It stops asking you to move.</li>
<li><strong>The voice deepens.</strong> The same 15 percent lowers it by not quite three semitones. Words grow rounder and easier to believe.</li>
<li><strong>The song grows longer.</strong> Three minutes become three and a half, and the quiet places are longer too.</li>
<li><strong>The room opens.</strong> Reverb lets each note stay in the air a moment after it was played, so that the next one arrives into its warmth.</li>
</ul>
<p>People often say it feels like hearing music from the next room, or from a car at the far end of the street, or from a few years ago. None of
that is an accident. Distance and memory are what a long reverb sounds like.</p>

<h2>Where it comes from</h2>
<p>The slowing is much older than the internet. In Houston in the 1990s, DJ Screw recorded hundreds of tapes on which he played records far below their speed, and
moved between two copies to repeat a line or a beat. He called it chopped and screwed, and it was made for warm nights and long drives. Everything
that is slowed today owes him something, and it is good to say so.</p>
<p>Twenty years later, producers of internet genres with names like vaporwave were slowing old pop and adding echo until it shimmered.
Around 2017 a handful of listeners began to post whole songs treated in that manner, under a plain description: slowed, reverb. The pictures beside them
were quiet ones, such as a lit window, rain on glass, or a train at dusk. Within a couple of years those two words were a genre.</p>

<h2>Its quick sister</h2>
<p>Nightcore is the same idea with the slider pushed the other way. There a song is sped up by 20 to 35 percent, to 140 to 160 BPM, and comes out bright and breathless.
Both treat speed as an instrument, and plenty of people love the two at different hours of the day.
We tend to think of ours as what you put on when you have come home.</p>

<h2>Why it works</h2>
<p>A slower beat sits closer to a resting pulse. A lower voice sounds nearer and calmer. Long reverb hides sharp edges, so very little startles you.
Put together, they make music that is good company for reading, drawing, driving at night, and not quite sleeping. It also works on sad songs in an odd way: given
more time, they seem to be less about the ending and more about having been there.</p>

<h2>How to make one</h2>
<ol>
<li><strong>Choose a song with air in it.</strong> A clear voice, a few instruments, chords that change slowly. Crowded mixes turn cloudy.</li>
<li><strong>Slow it by 10 to 25 percent.</strong> Let speed and pitch go down together. 0.85 is a good place to begin; below 0.75 most voices begin to drag.</li>
<li><strong>Add the room after, not before.</strong> Slow first, then reverb, so that the echo itself stays natural.</li>
<li><strong>Keep the amount modest.</strong> If you can no longer make out the words, take a little away. A long, quiet tail is kinder than a short, loud one.</li>
<li><strong>Look after the low end.</strong> Everything has moved down. A small cut below the bass keeps the mix from turning to fog, and a small lift makes it glow.</li>
<li><strong>Listen once all the way through.</strong> Preferably in the dark. You will know.</li>
</ol>
<p>Our <a href="/account/maker">maker</a> does all of this in your browser, with the reverb and the bass at hand, and your file never leaves your device.
It is open to subscribers for as long as they like.</p>

<h2>Is it allowed?</h2>
<p>A slowed song is still the song of the people who wrote and recorded it. Whether an edit may be posted, and who is paid for it, is theirs and the platform's to decide.
Many artists welcome it, some release slowed versions themselves, and much of the music here comes from labels that permit such use. Name the artist, link to the original,
and ask if you are not sure. The <a href="/faq">FAQ</a> says more on copyright and monetization.</p>

<h2>Where to begin</h2>
<p>You could let us <a href="/go/random">choose a song</a> for you, or wander through the <a href="/playlists">playlists</a> until one of them sounds like tonight.
If you make slowed music yourself, you are warmly invited to look at the <a href="/network">network</a>. Membership begins at 100 subscribers, and before that the
Academy will gladly keep you company.</p>
`.trim()
