// The words of each language that say nothing about the topic of a text: most of the hundred most frequent words of the texts
// in tools/embedding/languages, and question words. Folded by `foldWord`. Those of the languages in Latin letters also tell them
// from English, so they contain no frequent English word.
const split = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

export const functionWords = {
  en: split(`a about after all also am an and any are as at be because been before being but by can could did do does doing
    for from had has have having he her here hers him his how i if in into is it its just like me more most my no nor
    not of on once only or other our out over own same she should so some such than that the their them then there
    these they this those through to too under until up very was we were what when where which while who whom why will
    with would you your yours`),
  de: split(`und der sie fur zu mit von ist das ein auf den nicht eine werden oder wird es im aus als dem einen wenn diese
    nach sind konnen wie alle sich bei dass uber kann zum dieser einer zur keine du einem wurde nur haben wir ihre durch
    dieses sein eines beim auch vor bitte dies ohne aber diesem gibt unter ihr muss diesen noch er kein bis ob vom ich
    mein meine unser unsere dein deine welche welcher welches wer wo wann warum wieso womit wofur wozu soll sollen sollte
    machen macht hier nutzen benutzen verwenden immer schon seit hat die`),
  fr: split(`de les la le des et un une est du dans vous par avec que sur ou pas ce qui votre au ne il etre cette sont si
    aux peut se nous mais tout peuvent pouvez meme sans ces ont chaque entre vos cela lors doit son elle lorsque leur ils
    fait je mon ma mes notre nos quel quelle quels quelles quand comment pourquoi dois faut faire ca qu c est y pour en`),
  es: split(`de la el en y para que un los se del una con las por es como al esta este si mas puede tu lo su sin cuando
    sobre ser desde pueden cada esto pero hay entre ya debe tiene sus estan cualquier estas estos mismo hasta donde nos
    nuestro nuestra mi mis cual cuales quien que porque cuanto cuanta debo hacer usamos fue son o e`),
  pt: split(`de e o para um em que com uma da nao os se por como ou ao na esta mais pode voce ser seu este sao dos sua
    quando sem sobre tem podem das isso cada entre mas apenas pelo deve tambem sera seus ele suas estao ate ja nas aos
    onde seja nosso nossa nos meu minha qual quais quem porque quanto devo fazer usamos foi eu`),
  ru: split(`в и для с на не по к или как что вы из чтобы это о все если при от может только его за будет которые этот быть
    а их без до но когда у мы этого через могут можно также он нет который так можете во всех эта то еще есть этой уже они
    ли нужно об вам ее же вас того чем эти со вашего где какой какая какие какое каком кто почему зачем сколько я мой наш
    наша наши нашем мне нам бы был была`),
  ar: split(`في من علي الي هذا مع او لا ان غير تم التي هذه عن يمكن ما كل و اذا بعد عند لم بشكل هو ذلك جميع عبر فقط اي قبل
    يجب قد بين ل الذي هل خلال كان هي ب حتي يكون عندما تكون ايضا هناك ليس لكل حيث لديك ولكن به ماذا متي اين كيف لماذا كم
    انا نحن لنا لدينا ماهي ماهو`),
  hi: split(`के है में को और का करें से की लिए हैं पर एक करने नहीं यह कि कर आप इस हो या गया करना करता जो अपने सकते भी
    सकता जा करते गए सभी कोई तो आपके क्या तक करके कुछ किए रहा किसी आपको इसे वाले ही द्वारा जब गई रहे होने ने यदि फिर जाता
    चाहिए दिया होता हम लेकिन न कैसे था होगा वे वह कौन कौनसा कब कहां क्यों कितना मैं मेरा हमारा हमारे हमारी हमें मुझे किस`),
  zh: split(
    '的 了 吗 呢 是 在 和 什么 怎么 如何 哪个 哪里 哪些 为什么 多少 我们 我 你 您 的是 是什 么时 时候 么样 怎样 可以 应该',
  ),
  ja: split(
    'です ます した する して ます ての のは には では とは から まで です ですか すか ますか どの どこ 何で ので いる ある この その どう うす',
  ),
  ko: split(
    '수 이 및 를 을 의 에 는 가 로 에서 은 와 과 도 더 또는 어떤 무엇 어디 언제 왜 어떻게 누가 우리 우리는 우리의 나 내 있는 있습니다 합니다 하는 위해',
  ),
};
